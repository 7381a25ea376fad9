# What the tests of the trainers share: starting one, waiting for its steps, reading its result.
#
#   load cluster
#   load trainer
#   setup() { scratch; }
#   teardown() { clean; }

export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 PYTHONDONTWRITEBYTECODE=1

for build in "${HORA_BUILD:-}" "$PWD" "$root/build" "$root"; do
    [ -x "$build/contrib/mpi/hora-train-digits" ] && break
done
trainer=$build/contrib/mpi/hora-train-digits
hora=$build/hora

# A folder for one test; nothing of an outer job may reach the program.
scratch() {
    [ -x "$trainer" ] || skip "built without MPI"
    scratch=$(mktemp -d /tmp/hora-trainer.XXXXXX)
    cd "$scratch" || return 1
    unset HORA_BATCH HORA_BATCH_MIN HORA_SHARE HORA_PROGRESS HORA_CHECKPOINT_DIR HORA_SAMPLE_RATE HORA_EXCHANGE \
        SLURM_RESTART_COUNT
    pids=()
}

clean() {
    cd /
    local pid
    for pid in "${pids[@]}"; do
        kill -KILL "$pid" 2>/dev/null || true
    done
    ! mountpoint -q "$scratch/full" || umount -l "$scratch/full"
    rm -rf "$scratch"
}

# on_ranks N ARGUMENT…: the MPI trainer.
on_ranks() {
    local ranks=$1
    shift
    mpirun --oversubscribe -np "$ranks" "$trainer" "$@"
}

# with_shares "A B …" ARGUMENT…: a rank a share.
with_shares() {
    local share command=()
    for share in $1; do
        command+=(: -np 1 env "HORA_SHARE=$share" "$trainer" "${@:2}")
    done
    mpirun --oversubscribe "${command[@]:1}"
}

# start COMMAND…: in the background; $launcher is its process, `out` and `err` what it prints.
start() {
    "$@" >out 2>err 3>&- &
    launcher=$!
    pids+=("$launcher")
}

# The training programs among a process and all below it; mpirun and its helpers are left out.
ranks_of() {
    local child
    case $(ps -o comm= -p "$1") in
        hora-train-* | train.py) echo "$1" ;;
    esac
    for child in $(pgrep -P "$1"); do
        ranks_of "$child"
    done
}

# has_steps N: the progress file `progress` has that many lines.
has_steps() {
    [ "$(wc -l <progress)" -ge "$1" ]
}

# The exit status of the program that start() started.
wait_for_launcher() {
    wait_for -t 60 is_over "$launcher" || return 1
    status=0
    wait "$launcher" || status=$?
}

# final_loss FILE, final_accuracy FILE
final_loss() {
    sed -n 's/^final *loss \([^ ]*\).*/\1/p' "$1"
}
final_perplexity() {
    sed -n 's/^final .*perplexity \([^ ]*\).*/\1/p' "$1"
}
final_accuracy() {
    sed -n 's/^final .*accuracy \([^ ]*\).*/\1/p' "$1"
}

# assert_near A B: equal to one part in a million.
assert_near() {
    awk -v a="$1" -v b="$2" 'BEGIN {
        off = a > b ? a - b : b - a
        exit !(a > 0 && off <= 1e-6 * a)
    }' || { echo "\"$1\" is not near \"$2\""; return 1; }
}

assert_at_least() {
    awk -v a="$1" -v b="$2" 'BEGIN { exit !(a >= b) }' || { echo "$1 is less than $2"; return 1; }
}

# The steps in the progress file are 1 to N, none lost, none twice.
assert_steps() {
    assert_equal "$(jq .step progress | xargs)" "$(seq "$1" | xargs)"
}

# Whether a process ignores SIGUSR1 or has a handler for it.
outlives_usr1() {
    local mask
    for mask in $(awk '$1 == "SigIgn:" || $1 == "SigCgt:" { print $2 }' "/proc/$1/status"); do
        [ $((0x$mask >> ($(kill -l USR1) - 1) & 1)) = 0 ] || return 0
    done
    return 1
}

# ask_for_checkpoint SIGNAL: of all ranks of $launcher, and wait until it stands.
ask_for_checkpoint() {
    local rank
    for rank in $(ranks_of "$launcher"); do
        kill "-$1" "$rank"
    done
    wait_for test -e checkpoints/READY || { tail -n 3 out err; return 1; }
}

# As a requeue does: at once, all of them.
end_at_once() {
    local rank
    for rank in $(ranks_of "$launcher"); do
        kill -KILL "$rank" 2>/dev/null || true
    done
    wait_for is_over "$launcher"
}
