"""Headless Chromium, by the protocol of its developer tools on two pipes; of the standard library alone.

check_report.py imports it.
"""
import base64
import json
import os
import select
import shutil
import subprocess
import time


class BrowserError(Exception):
    """The browser does not do what it is asked for."""


def require(holds, *about):
    if not holds:
        raise BrowserError(" ".join(str(part) for part in about))


def browser_path():
    for name in ("chromium", "chromium-browser", "google-chrome"):
        if path := shutil.which(name):
            return path
    return None


class Browser:
    def __init__(self, path, profile):
        self.to_browser, self.from_browser = os.pipe(), os.pipe()
        ours = (self.to_browser[1], self.from_browser[0])

        def give_pipes():
            copies = [os.dup(self.to_browser[0]), os.dup(self.from_browser[1])]
            os.dup2(copies[0], 3)
            os.dup2(copies[1], 4)

        self.process = subprocess.Popen(
            [path, "--headless", "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-extensions",
             "--disable-background-networking", f"--user-data-dir={profile}", "--remote-debugging-pipe", "about:blank"],
            preexec_fn=give_pipes, close_fds=False, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL)
        os.close(self.to_browser[0])
        os.close(self.from_browser[1])
        self.write_end, self.read_end = ours
        self.left, self.number, self.events, self.session = b"", 0, [], None
        targets = self.ask("Target.getTargets")["targetInfos"]
        target = next(one["targetId"] for one in targets if one["type"] == "page")
        self.session = self.ask("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Network", "Log", "Runtime"):
            self.ask(f"{domain}.enable")

    def next_message(self, seconds):
        end = time.monotonic() + seconds
        while b"\0" not in self.left:
            require(select.select([self.read_end], [], [], max(0, end - time.monotonic()))[0], "the browser is silent")
            some = os.read(self.read_end, 1 << 20)
            require(some, "the browser has ended")
            self.left += some
        message, self.left = self.left.split(b"\0", 1)
        return json.loads(message)

    def ask(self, method, **parameters):
        self.number += 1
        request = {"id": self.number, "method": method, "params": parameters}
        if self.session:
            request["sessionId"] = self.session
        data = json.dumps(request).encode() + b"\0"
        while data:
            data = data[os.write(self.write_end, data):]
        while True:
            message = self.next_message(60)
            if message.get("id") == self.number:
                require("error" not in message, method, "fails:", message.get("error"))
                return message["result"]
            self.events.append(message)

    def value(self, expression):
        return self.ask("Runtime.evaluate", expression=expression, returnByValue=True)["result"].get("value")

    def show(self, path, width, height, dark):
        """Opens a page; returns what was asked for, and what went wrong."""
        self.events.clear()
        self.ask("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)
        self.ask("Emulation.setEmulatedMedia",
                 features=[{"name": "prefers-color-scheme", "value": "dark" if dark else "light"}])
        self.ask("Page.navigate", url=path.as_uri())
        while not any(event.get("method") == "Page.loadEventFired" for event in self.events):
            self.events.append(self.next_message(60))
        self.value("1")  # what was logged before it has come
        asked = [event["params"]["request"]["url"] for event in self.events
                 if event.get("method") == "Network.requestWillBeSent"]
        logged = [event["params"] for event in self.events
                  if event.get("method") in ("Log.entryAdded", "Runtime.exceptionThrown", "Runtime.consoleAPICalled")]
        return asked, logged

    def picture(self):
        return base64.b64decode(self.ask("Page.captureScreenshot", format="png")["data"])

    def press_tab(self):
        for kind in ("keyDown", "keyUp"):
            self.ask("Input.dispatchKeyEvent", type=kind, key="Tab", code="Tab", windowsVirtualKeyCode=9)

    def close(self):
        self.process.terminate()
        self.process.wait(timeout=30)
        os.close(self.write_end)
        os.close(self.read_end)
