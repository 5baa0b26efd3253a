#!/usr/bin/env bash
# check.sh TARBALL ROOT GLIBC: the program of the tarball needs nothing but the C library, of at most this version, and
# libgcc_s; it works in ROOT, a root without any library of gsx, from any folder; and it prints what the README says.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/../common.sh"

tarball=$(absolute "$1") root=$(absolute "$2") oldest=$3
name=$(basename "$tarball" .tar.gz)
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
tar -C "$folder" -xzf "$tarball"
tree=$folder/$name
program=$tree/bin/gsx

needed=$(readelf -d "$program" | sed -nE 's/.*\(NEEDED\).*\[(.*)\]/\1/p')
foreign=$(grep -vxE 'lib(c|m|dl|rt|pthread|gcc_s)\.so\.[0-9]+|ld-linux-x86-64\.so\.2' <<< "$needed" || true)
[[ -z $foreign ]] || die "the program needs libraries that not every system has: $foreign"
newest=$(readelf -V "$program" | grep -oE 'GLIBC_[0-9.]+' | sort -uV | tail -n 1)
[[ $(printf 'GLIBC_%s\n%s\n' "$oldest" "$newest" | sort -V | tail -n 1) == "GLIBC_$oldest" ]] ||
  die "the program needs $newest, which is later than $oldest"
if readelf -d "$program" | grep -E 'RPATH|RUNPATH'; then die "the program looks for libraries in a fixed folder"; fi

for file in LICENSE README.md licences/htslib licences/isa-l licences/zlib1g-dev licences/libstdc++; do
  [[ -s $tree/share/doc/gsx/$file ]] || die "the tarball has no $file"
done
for file in man/man1/gsx.1 man/man1/gsx-locate.1 bash-completion/completions/gsx zsh/site-functions/_gsx \
  fish/vendor_completions.d/gsx.fish; do
  [[ -s $tree/share/$file ]] || die "the tarball has no share/$file"
done

mkdir -p "$root/opt/any where"
cp -r "$tree" data/lambda.fa data/reads.fq.gz "$root/opt/any where/"
# shellcheck disable=SC2016  # the shell inside expands
in_root "$root" -- bash -euc '
  cd "/opt/any where"
  ldd --version | head -n 1
  gsx=$PWD/$1/bin/gsx
  "$gsx" --version
  "$gsx" doctor -q > facts
  grep -E "^(htslib_libdeflate|bgzf_inflater|conclusion)" facts
  "$gsx" index -q lambda.fa -o lambda.gsx
  "$gsx" verify -q --full lambda.gsx
  "$gsx" count -q -x lambda.gsx reads.fq.gz -o counts.tsv
  "$gsx" locate -q -x lambda.gsx reads.fq.gz --bam -o hits.bam
  code=0
  "$gsx" count -q -x missing.gsx -p ACGT 2> error || code=$?
  [[ $code == 4 ]]
  grep -q "^error: .*missing.gsx" error
  ' bare "$name"
check_formats "$root/opt/any where/facts"
cmp <(awk -F '\t' 'NR > 1 { reads++; found += $3 > 0 } END { print reads, found }' "$root/opt/any where/counts.tsv") \
  <(echo 1000 "$(awk -F '\t' 'NR > 1 { print $1 }' <("$program" locate -q -r data/lambda.fa data/reads.fq.gz) |
    sort -u | wc -l)") || die "the counts are wrong"
python3 scripts/check_readme.py "$program" README.md
say "$name needs $newest and $(tr '\n' ' ' <<< "$needed")"
