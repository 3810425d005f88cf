# Sourced by ./x: a relocatable tree of Foghorn, and packages of it.
#
#   PREFIX/bin/foghorn                 finds its library by $ORIGIN/../lib/foghorn (crates/foghorn/build.rs)
#   PREFIX/lib/foghorn/libz3.so.X      the library that it was built with
#   PREFIX/share/…                     manual pages, completions, guide, licences
#   PREFIX/share/foghorn/files         what was installed, for ./x uninstall

version() { sed -n 's/^version = "\(.*\)"/\1/p' "$root/Cargo.toml" | head -n 1; }

# Puts the tree into a folder.
lay_tree() { # prefix
  local to=$1 binary=$root/target/release/foghorn library
  install -D -m 755 "$binary" "$to/bin/foghorn"
  ! command -v strip >/dev/null || strip "$to/bin/foghorn"
  library=$(readelf -d "$binary" | sed -n 's/.*NEEDED.*\[\(libz3[^]]*\)\].*/\1/p')
  install -D -m 644 "$deps/z3/z3/lib/libz3.so" "$to/lib/foghorn/$library"
  "$binary" manual "$to/share/man/man1"
  mkdir -p "$to/share/bash-completion/completions" "$to/share/zsh/site-functions" \
    "$to/share/fish/vendor_completions.d"
  "$binary" completions bash >"$to/share/bash-completion/completions/foghorn"
  "$binary" completions zsh >"$to/share/zsh/site-functions/_foghorn"
  "$binary" completions fish >"$to/share/fish/vendor_completions.d/foghorn.fish"
  local page
  for page in "$root"/README.md "$root"/LICENSE-*; do
    install -D -m 644 "$page" "$to/share/doc/foghorn/$(basename "$page")"
  done
  for page in "$root"/docs/guide/*.md; do
    install -D -m 644 "$page" "$to/share/doc/foghorn/guide/$(basename "$page")"
  done
}

# The one option of install and uninstall.
prefix_of() { # arguments
  local prefix=$HOME/.local
  while [ $# -gt 0 ]; do
    case $1 in
      --prefix) [ $# -gt 1 ] || die "--prefix needs a folder"; prefix=$2; shift 2 ;;
      --prefix=*) prefix=${1#--prefix=}; shift ;;
      *) die "'$1' is no option of this command; it takes --prefix DIR" ;;
    esac
  done
  # A relative folder is meant from where ./x was called.
  case $prefix in /*) echo "$prefix" ;; *) echo "${OLDPWD:-$PWD}/$prefix" ;; esac
}

# Made aside first, so that an installation that fails half-way leaves the old one alone.
install_tree() {
  local prefix stage
  prefix=$(prefix_of "$@") || exit 1
  build
  mkdir -p "$prefix" || die "$prefix: the folder cannot be made; --prefix DIR names another"
  stage=$(mktemp -d "$prefix/.foghorn-XXXXXX") || die "$prefix: nothing can be written there"
  # shellcheck disable=SC2064
  trap "rm -rf '$stage'" EXIT
  lay_tree "$stage"
  [ ! -e "$prefix/share/foghorn/files" ] || remove_files "$prefix"
  mkdir -p "$stage/share/foghorn"
  (cd "$stage" && { find . -type f | sed 's|^\./||'; echo share/foghorn/files; } | sort -u) >"$stage/.files"
  mv "$stage/.files" "$stage/share/foghorn/files"
  cp -a "$stage/." "$prefix/"
  say "x: installed into $prefix ($(du -sh "$stage" | cut -f1)); ./x uninstall --prefix $prefix removes it"
  case ":$PATH:" in *":$prefix/bin:"*) ;; *) say "x: $prefix/bin is not in PATH" ;; esac
  "$prefix/bin/foghorn" doctor >&2 || true
}

uninstall_tree() {
  local prefix
  prefix=$(prefix_of "$@") || exit 1
  [ -e "$prefix/share/foghorn/files" ] || die "$prefix: nothing of Foghorn is installed there"
  remove_files "$prefix"
  say "x: removed from $prefix"
}

# What an installation wrote, and folders that are empty then.
remove_files() { # prefix
  local prefix=$1 file folder list
  list=$(cat "$prefix/share/foghorn/files")
  while IFS= read -r file; do rm -f "$prefix/$file"; done <<<"$list"
  while IFS= read -r file; do
    folder=$(dirname "$file")
    while [ "$folder" != . ] && rmdir "$prefix/$folder" 2>/dev/null; do folder=$(dirname "$folder"); done
  done <<<"$list"
}

# A tar.gz that is unpacked anywhere, and a Debian package.
make_packages() {
  build
  local name out
  name=foghorn-$(version)-linux-$(uname -m)
  out=$root/target/dist
  rm -rf "$out"
  mkdir -p "$out"
  lay_tree "$out/$name"
  tar -C "$out" --owner=0 --group=0 --sort=name -czf "$out/$name.tar.gz" "$name"
  if command -v dpkg-deb >/dev/null; then
    make_deb "$out/$name" "$out/foghorn_$(version)_$(dpkg --print-architecture).deb"
  else
    say "x: no dpkg-deb here, so no .deb"
  fi
  rm -rf "${out:?}/$name"
  ls -l "$out" >&2
}

make_deb() { # tree, package
  local stage=$1.deb llvm
  llvm=$(installed_llvm)
  mkdir -p "$stage/DEBIAN"
  cp -a "$1" "$stage/usr"
  find "$stage/usr/share/man" -name '*.1' -exec gzip -9n {} +
  cat >"$stage/DEBIAN/control" <<CONTROL
Package: foghorn
Version: $(version)
Architecture: $(dpkg --print-architecture)
Maintainer: Foghorn maintainers <foghorn@localhost>
Section: devel
Priority: optional
Installed-Size: $(du -sk "$stage/usr" | cut -f1)
Depends: clang-$llvm, libc6 (>= $(libc_version)), libstdc++6, libgcc-s1, libc6-dev
Recommends: libclang-rt-$llvm-dev
Description: software verifier for C
 Proves that C programs are free of failing assertions, memory errors and undefined
 behaviour, with a certificate, or shows a run that fails.
CONTROL
  dpkg-deb --root-owner-group --build "$stage" "$2" >/dev/null
  rm -rf "$stage"
}

# The newest interface of the C library that the binary uses.
libc_version() {
  readelf -V "$root/target/release/foghorn" | grep -o 'GLIBC_[0-9.]*' | sort -Vu | tail -n 1 | cut -d_ -f2
}
