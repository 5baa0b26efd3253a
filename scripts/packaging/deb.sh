#!/usr/bin/env bash
# scripts/packaging/deb.sh [OPTION]... FOLDER: makes the Debian packages of the last commit in FOLDER.
#
#   --root ROOT       build in this root (as root), and not on this machine
#   --cuda            the source gsx-cuda instead of gsx: one package, with the CUDA back end
#   --prebuilt BUILD  with --cuda: take the program from the build folder BUILD, and compile nothing
#
#   DEBFULLNAME, DEBEMAIL        the maintainer in the packages
#   GSX_CUDA_ARCHITECTURES=...   GPU architectures (default: those of CMakeLists.txt)
#   GSX_JOBS=N                   compilations at the same time
#   GSX_CCACHE=DIR               keeps compilations there
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

root="" source=gsx prebuilt="" folder=""
while (($# > 0)); do
  case $1 in
    --root) root=$(absolute "${2:?"--root needs a folder"}"); shift ;;
    --cuda) source=gsx-cuda ;;
    --prebuilt) prebuilt=$(absolute "${2:?"--prebuilt needs a build folder"}"); shift ;;
    -*) die "unknown option $1; see the head of $0" ;;
    *) folder=$(absolute "$1") ;;
  esac
  shift
done
[[ -n $folder ]] || die "no folder; see the head of $0"
[[ -z $prebuilt || $source == gsx-cuda ]] || die "--prebuilt goes with --cuda"
[[ -z $root || $source == gsx ]] || die "a root has no CUDA toolkit: --cuda builds on this machine"

version=$(project_version)
maintainer="${DEBFULLNAME:-The gsx authors} <${DEBEMAIL:-gsx@gsx.invalid}>"
mkdir -p "$folder"
tree=$folder/$source-$version
rm -rf "$tree"
git archive --prefix="$source-$version/" HEAD | gzip -9n > "$folder/${source}_$version.orig.tar.gz"
tar -C "$folder" -xzf "$folder/${source}_$version.orig.tar.gz"

cp -r "$packaging/debian" "$tree/debian"
if [[ $source == gsx-cuda ]]; then
  mv "$tree/debian/control.cuda" "$tree/debian/control"
  rm -r "$tree/debian/tests"
fi
rm -f "$tree/debian/control.cuda"
sed -i "s/@MAINTAINER@/$maintainer/" "$tree/debian/control"
cat > "$tree/debian/changelog" << END
$source ($(debian_version)) unstable; urgency=medium

  * Release $version; CHANGELOG.md has the changes.

 -- $maintainer  $(date -R -u -d "@$(commit_time)")
END

say "building $source $(debian_version)"
build=(dpkg-buildpackage -us -uc -j"$(jobs)")
if [[ -n $root ]]; then
  in_root "$root" "$folder:/packages" "${cache[@]}" -- env "${cache_variables[@]}" \
    bash -c "cd /packages/$source-$version && ${build[*]}"
else
  cd "$tree"
  if [[ $source == gsx-cuda ]]; then build+=(-b); fi
  env ${prebuilt:+"GSX_PREBUILT=$prebuilt"} "${build[@]}"
fi
