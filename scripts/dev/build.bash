# Builds Hora beside its sources. Sourced by check, soak and quickstart, which set `root`.

jobs=$(nproc)
# A compiler cache where there is one; it may be installed after this is read.
PATH=/usr/lib/ccache:$PATH
export CCACHE_BASEDIR=$root CCACHE_NOHASHDIR=1
# What it may overlook so that it works beside precompiled headers.
export CCACHE_SLOPPINESS=pch_defines,time_macros
# A Slurm, an MPI or a Hora that runs around us must not lead anything astray; where scripts/releases
# keeps its folders is the caller's to say.
for variable in $(compgen -e | grep -E '^(SLURM|SBATCH|SRUN|SALLOC|OMPI|PMIX|HORA)_' |
    grep -vxE 'HORA_(ROOTS|DEBIAN_MIRROR)' || true); do
    unset "$variable"
done

# Writes configure where it is missing or older than what it is made from.
write_configure() {
    if [ -e "$root/config.status" ]; then
        echo "this tree was built in place; run 'make distclean' in it first" >&2
        return 1
    fi
    cd "$root"
    if [ ! -e configure ] || [ -n "$(find configure.ac Makefile.am contrib libplanner plugins \
        scripts tests \( -name 'hora_*.m4' -o -name '*.mk' -o -name '*.a[cm]' \) \
        -newer configure -print -quit)" ]; then
        autoreconf -i
        touch configure
    fi
}

# configure_in FOLDER OPTION…: again where configure is newer, or the options were others.
configure_in() {
    local folder=$1
    shift
    mkdir -p "$folder"
    cd "$folder"
    if [ ! -e config.options ] || [ "$(cat config.options)" != "$*" ]; then
        rm -f config.cache config.status
    fi
    if [ ! -e config.status ] || [ "$root/configure" -nt config.status ]; then
        "$root/configure" --cache-file=config.cache "$@"
        printf '%s\n' "$*" >config.options
    fi
}
