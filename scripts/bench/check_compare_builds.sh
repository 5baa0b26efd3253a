#!/usr/bin/env bash
# check_compare_builds.sh GSX: what compare_builds.py prints for two programs, and what it refuses.
set -euo pipefail
gsx=$1
compare=$(dirname "${BASH_SOURCE[0]}")/compare_builds.py
genome=$(dirname "${BASH_SOURCE[0]}")/../../data/lambda.fa
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

# expect CODE WORDS ARGUMENT...: compare_builds.py ends so and prints a line that holds the words.
expect() {
  local code=0 wanted=$1 words=$2
  shift 2
  python3 "$compare" "$@" > "$folder/log" 2>&1 || code=$?
  if [[ $code != "$wanted" ]] || ! grep -qF -- "$words" "$folder/log"; then
    echo "error: compare_builds.py $* ended with $code, not $wanted, or does not say '$words':"
    cat "$folder/log"
    exit 1
  fi
}

python3 "$compare" --self-test
expect 0 $'\tyes\ttoo short' "$gsx" "$gsx" "$genome" --rounds 2 --read-count 20 --threads 1
for command in index sa bwt count locate; do
  grep -q "^$command	baseline	" "$folder/log" && grep -q "^$command	candidate	" "$folder/log"
done
expect 0 $'count\tcandidate' "$gsx" "$gsx" "$genome" --rounds 1 --read-count 1 --commands count
expect 2 'no record of 50000 bases' "$gsx" "$gsx" "$genome" --read-length 50000
expect 2 "'sort' is none of" "$gsx" "$gsx" "$genome" --commands sa,sort
expect 2 '--rounds must be at least 1' "$gsx" "$gsx" "$genome" --rounds 0
expect 2 '--bound must be above 0' "$gsx" "$gsx" "$genome" --bound 0
expect 2 'is no program' "$gsx" "$folder" "$genome"
expect 2 'is no file' "$gsx" "$gsx" "$folder/none.fa"
expect 2 'required' "$gsx"

# Programs of known speed, which write the same bytes.
slow_program() {
  printf '#!/usr/bin/env python3\nimport sys, time\n' > "$folder/$1"
  printf 'end = time.process_time() + %s\nwhile time.process_time() < end: pass\n' "$2" >> "$folder/$1"
  printf 'open(sys.argv[sys.argv.index("-o") + 1], "w").write("%s")\n' "$3" >> "$folder/$1"
  chmod +x "$folder/$1"
}
slow_program fast 0.05 same
slow_program slow 0.3 same
slow_program other 0.05 other
expect 1 $'\tabove' "$folder/fast" "$folder/slow" "$genome" --rounds 3 --commands sa
expect 0 $'\tyes\twithin' "$folder/slow" "$folder/fast" "$genome" --rounds 3 --commands sa
expect 0 $'\tno\twithin' "$folder/slow" "$folder/other" "$genome" --rounds 3 --commands bwt
expect 2 'ended with 1' /bin/false "$folder/fast" "$genome" --rounds 1 --commands sa
echo "compare_builds.py judges and refuses as documented"
