#!/usr/bin/env bash
# attempts.sh: attempt.sh makes an attempt again only where that can help, and its log always has the error.
# shellcheck disable=SC2016,SC2317  # the stub expands; functions that the checks call
set -euo pipefail
workflows=$(realpath "$(dirname "${BASH_SOURCE[0]}")/..")
# shellcheck source=common.sh
source "$workflows/tests/common.sh"
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
attempt=$workflows/attempt.sh
printf '#!/usr/bin/env bash\necho "info: here"; echo "error: $1" >&2; exit "$2"\n' > fails
chmod +x fails

# ends_with CODE N COMMAND...: that of attempt N; its log is removed before, as Snakemake does.
ends_with() {
  local code=0 wanted=$1
  shift
  rm -f log
  "$attempt" log "$@" > /dev/null || code=$?
  equal "$code" "$wanted"
}
expect "an attempt ends with the exit code of its command" ends_with 3 1 ./fails "bad.fq: line 7" 3
expect "after bad input, it is not made again" ends_with 3 2 ./fails "another" 1
expect "and its log has the error" has log '^error: bad.fq: line 7$'
expect "and says so" has log '^attempt 2 is not made: exit code 3'
expect "nor is the next" ends_with 3 3 ./fails "another" 1
expect "whose log has the error, too" has log '^error: bad.fq: line 7$'
expect "a first attempt starts anew" ends_with 6 1 ./fails "little memory" 6
expect "for want of memory, it is made again" ends_with 0 2 true
expect "after success, of which nothing was left, too" ends_with 0 3 touch made
expect "and makes what is wanted" test -e made
expect "its command reads standard input" equal "$(echo read | "$attempt" log 1 cat)" read
exit "$((wrong > 0))"
