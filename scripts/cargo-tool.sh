# Source this file. It finds programs of a fixed version that Cargo can build from crates.io.
#
# They are kept in the user's cache folder, or in the folder that PERFT_TOOLS names, so that another clone need not build them again.

tools=${PERFT_TOOLS:-${XDG_CACHE_HOME:-$HOME/.cache}/perft-tools}

# Prints the path of a program of this version. It is on the PATH, or Cargo builds it. Further arguments are flags for `cargo install`.
cargo_tool() {
    # Two scripts may build the same program at the same time, so each has a build folder of its own.
    local name=$1 version=$2 root=$tools/$1-$2 build=$tools/build-$$
    shift 2
    if [[ $("$name" --version 2>/dev/null) == *"$version" ]]; then
        command -v "$name"
        return
    fi
    if [ ! -x "$root/bin/$name" ]; then
        echo "building $name $version" >&2
        # These programs have little work, so the time to compile them matters more than their speed.
        CARGO_PROFILE_RELEASE_OPT_LEVEL=0 CARGO_PROFILE_RELEASE_LTO=off CARGO_PROFILE_RELEASE_CODEGEN_UNITS=256 \
            CARGO_TARGET_DIR=$build cargo install --quiet --locked "$name@$version" --root "$root" "$@" >&2 || return 1
        rm -rf "$build"
    fi
    echo "$root/bin/$name"
}

# Prints why a check cannot run here, and ends with the exit status for that.
missing() {
    echo "$(basename "$0"): $*" >&2
    exit 2
}
