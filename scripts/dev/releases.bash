# Which Debian has which release of Slurm, and its headers. Sourced by scripts/releases and by
# tests/unit/slurm/check-compat; all of it works without root.

# Those that the tests are run with.
releases=(22.05 24.11 26.05)
declare -A suite_of=([22.05]=bookworm [24.11]=trixie [26.05]=sid)
# The trainer is built with Open MPI, which srun starts by PMIx, or with MPICH, by PMI-2. Debian's
# 26.05 has no PMIx, and one start in four over several nodes fails in the Open MPI 5 beside 24.11.
declare -A mpi_of=([24.11]=mpich [26.05]=mpich)
debian=${HORA_DEBIAN_MIRROR:-http://deb.debian.org/debian}
keyring=/usr/share/keyrings/debian-archive-keyring.gpg

# Prints the release of the headers below FOLDER, as 24.11; nothing where there are none.
release_of_headers() {
    local file=$1/usr/include/slurm/slurm_version.h number
    [ -e "$file" ] || return 0
    number=$(sed -n 's/^#define SLURM_VERSION_NUMBER \(0x[0-9a-f]*\).*/\1/p' "$file")
    printf '%d.%02d\n' $((number >> 16)) $((number >> 8 & 255))
}

# apt-get on lists of its own in FOLDER, so that the machine's stay as they are.
private_apt() {
    local folder=$1
    shift
    apt-get -q -o "Dir::Etc::sourcelist=$folder/sources.list" -o Dir::Etc::sourceparts=- \
        -o "Dir::State::lists=$folder/lists" -o "Dir::Cache=$folder/cache" \
        -o Acquire::Languages=none -o Acquire::Retries=3 -o Acquire::Check-Valid-Until=false \
        -o "APT::Sandbox::User=$(id -un)" "$@"
}

# fetch_lists FOLDER SUITE…: what packages these suites have.
fetch_lists() {
    local folder=$1 suite
    rm -rf "$folder"
    mkdir -p "$folder/lists/partial" "$folder/cache/archives/partial"
    for suite in "${@:2}"; do
        echo "deb [signed-by=$keyring] $debian $suite main"
    done >"$folder/sources.list"
    private_apt "$folder" update >&2
}

# unpack FOLDER PACKAGE/SUITE PLACE: the files of one package of these suites, without installing it.
unpack() {
    (cd "$1" && private_apt "$1" download "$2") >&2 || return
    dpkg -x "$1/${2%/*}"_*.deb "$3" || return
    rm -f "$1/${2%/*}"_*.deb
}

# A suite that has gone on to another Slurm is said.
unpack_headers() {
    local apt=$1 release=$2 place=$3 found
    unpack "$apt" "libslurm-dev/${suite_of[$release]}" "$place.new" || return
    found=$(release_of_headers "$place.new")
    if [ "$found" != "$release" ]; then
        echo "releases: Debian ${suite_of[$release]} has Slurm ${found:-without headers} now, not $release; change scripts/dev/releases.bash" >&2
        return 1
    fi
    mv -T "$place.new" "$place"
}

# fetch_headers FOLDER: FOLDER/RELEASE/usr/include/slurm for every release; those that are there
# stay. Fails where Debian cannot be reached, with what came until then.
fetch_headers() {
    local folder=$1 release apt
    local -a missing=()
    mkdir -p "$folder"
    folder=$(realpath "$folder")
    exec 8<"$folder"
    flock 8 # two tests may want them at once
    for release in "${releases[@]}"; do
        [ "$(release_of_headers "$folder/$release")" = "$release" ] || missing+=("$release")
    done
    [ ${#missing[@]} -gt 0 ] || return 0
    apt=$folder/apt
    fetch_lists "$apt" $(for release in "${missing[@]}"; do echo "${suite_of[$release]}"; done) ||
        return
    for release in "${missing[@]}"; do
        rm -rf "${folder:?}/$release" "$folder/$release.new"
        unpack_headers "$apt" "$release" "$folder/$release" || return
    done
    rm -rf "$apt"
    exec 8<&-
}
