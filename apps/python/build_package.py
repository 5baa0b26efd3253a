"""The build backend of the package: scikit-build-core, and for a source distribution the sources of
the library with it.

In the repository, CMake finds the library two folders above this one. A source distribution has no
such folder, so it takes along what CMake needs of it, in the folder `library`, where the version of
the package is found, too. The copy is made in a temporary folder: the repository stays as it is.
"""

import os
import shutil
import tempfile
from pathlib import Path

from scikit_build_core import build as _backend
from scikit_build_core.build import (  # noqa: F401  (hooks that pip and build call)
    build_editable,
    build_wheel,
    get_requires_for_build_editable,
    get_requires_for_build_sdist,
    get_requires_for_build_wheel,
    prepare_metadata_for_build_editable,
    prepare_metadata_for_build_wheel,
)

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
LIBRARY = ["CMakeLists.txt", "LICENSE", "README.md", "lib", "kernels", "scripts/cmake"]
UNWANTED = shutil.ignore_patterns("__pycache__", "build", "dist", "*.egg-info", "*.so", "wheelhouse")


def copy(source, target):
    target.parent.mkdir(parents=True, exist_ok=True)
    if source.is_dir():
        shutil.copytree(source, target, ignore=UNWANTED)
    else:
        shutil.copy2(source, target)


def build_sdist(sdist_directory, config_settings=None):
    """As PEP 517 has it. From a source distribution, makes the same one again."""
    sdist_directory = os.path.abspath(sdist_directory)
    library = HERE / "library" if (HERE / "library").is_dir() else ROOT
    before = os.getcwd()
    with tempfile.TemporaryDirectory() as folder:
        stage = Path(folder, "gsx")
        shutil.copytree(HERE, stage, ignore=UNWANTED, dirs_exist_ok=True)
        shutil.rmtree(stage / "library", ignore_errors=True)
        for name in LIBRARY:
            copy(library / name, stage / "library" / name)
        copy(library / "LICENSE", stage / "LICENSE")
        project = stage / "pyproject.toml"
        project.write_text(project.read_text().replace('"../../CMakeLists.txt"', '"library/CMakeLists.txt"'))
        os.chdir(stage)
        try:
            return _backend.build_sdist(sdist_directory, config_settings)
        finally:
            os.chdir(before)
