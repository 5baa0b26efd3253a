# What a workflow does about an exit code of gsx; sourced. README.md beside it has the table.
# shellcheck shell=bash

# retry_rule CODE: prints "no", "same" (try again) or "more" (try again with more memory).
retry_rule() {
  case $1 in
    1 | 143) echo same ;;
    6 | 137) echo more ;;
    *) echo no ;;
  esac
}

# run_to_end COMMAND...: runs COMMAND and returns its exit code. A signal that tells this shell to
# stop goes to COMMAND, which is waited for: it removes the files that it has begun.
run_to_end() {
  local child='' code=0 stopped=''
  trap 'stopped=yes; if [[ $child ]]; then kill -TERM "$child" 2> /dev/null; fi' TERM INT
  "$@" <&0 &  # of itself, a shell gives a job in the background nothing to read
  child=$!
  wait "$child" || code=$?
  while [[ $stopped ]]; do  # the trap has interrupted the wait
    stopped='' code=0
    wait "$child" || code=$?
  done
  trap - TERM INT
  return "$code"
}
