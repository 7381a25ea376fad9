# What the end-to-end tests share: a private Slurm a file, users, waiting, and logs on a miss.
#
#   load cluster
#   setup_file() { cluster_up [devcluster options]; }
#   teardown_file() { cluster_down; }
#
# Jobs and commands find themselves in $work, a folder that everybody may write to.

root=$(cd "$BATS_TEST_DIRNAME/../.." && pwd)
devcluster=$root/scripts/devcluster

# Who jobs without root's rights belong to: clients of 26.05 take user and group "nobody" for nobody.
tester=games

# No test waits without end, also where bats runs it alone.
BATS_TEST_TIMEOUT=${BATS_TEST_TIMEOUT:-600}

# How srun starts the trainer: by PMIx one of Open MPI, by PMI-2 one of MPICH.
mpi=pmix
! ldd "${HORA_BUILD:-$root/build}/contrib/mpi/hora-train-digits" 2>/dev/null | grep -q libmpich ||
    mpi=pmi2

# A short path: Slurm's sockets live below it.
cluster_up() {
    CLUSTER_DIR=${CLUSTER_DIR:-$(mktemp -d "${HORA_E2E_PREFIX:-/tmp/hora-e2e}.XXXXXX")}
    export CLUSTER_DIR
    # Daemons must not hold bats' own descriptor open, or bats waits for them to end.
    "$devcluster" up --dir "$CLUSTER_DIR" --name "e2e$$" "$@" 3>&- || return 1
    work=$CLUSTER_DIR/work
    mkdir -p "$work"
    chmod 1777 "$work"
    source "$CLUSTER_DIR/etc/environment"
    # How this release writes the GPUs of a request.
    gres=gres/gpu
    [[ $(slurm_release) > 23.10 ]] || gres=gres:gpu
    export PATH SLURM_CONF HORA_CONF HORA_BUILD work gres
    cd "$work" || return 1
}

# As 22.05.
slurm_release() {
    sinfo --version | grep -o '[0-9]*\.[0-9]*' | head -n 1
}

cluster_down() {
    cd /
    [ -z "${CLUSTER_DIR:-}" ] || "$devcluster" down --dir "$CLUSTER_DIR" 3>&-
}

# One partition of its own for each mode that does not act.
make_partitions_by_mode() {
    scontrol create PartitionName=watch Nodes=n[1-4]
    scontrol create PartitionName=tell Nodes=n[1-4]
    cat >>"$HORA_CONF" <<'END'
[partition.watch]
mode = "observe"
[partition.tell]
mode = "advise"
END
}

# as_user COMMAND…: without root's rights.
as_user() {
    as "$tester" "$@"
}

# as USER COMMAND…
as() {
    local user=$1
    shift
    case $1 in
        srun | salloc) set -- timeout "$answer_limit" "$@" ;;
    esac
    setpriv --reuid="$user" --regid="$(id -g "$user")" --clear-groups env HOME="$work" \
        USER="$user" "$@"
}

# What bats cannot end when a test has taken its time: a command in `run` that waits for a job.
answer_limit=180
srun() { timeout "$answer_limit" srun "$@"; }
salloc() { timeout "$answer_limit" salloc "$@"; }

# wait_for [-t SECONDS] [-b] COMMAND…: until it succeeds; prints the logs if it does not in time.
# With -b it looks again at once, for what is over soon.
wait_for() {
    local limit=60 pause=0.1 deadline
    if [ "$1" = -t ]; then
        limit=$2
        shift 2
    fi
    if [ "$1" = -b ]; then
        pause=0
        shift
    fi
    deadline=$((SECONDS + limit))
    until "$@" >/dev/null 2>&1; do
        if [ "$SECONDS" -ge "$deadline" ]; then
            echo "waited $limit s in vain for: $*"
            print_logs
            return 1
        fi
        sleep "$pause"
    done
}

is_over() {
    ! kill -0 "$1" 2>/dev/null
}

# wait_for_end PROCESS [SECONDS]: of one that this shell has started; returns how it ended.
wait_for_end() {
    wait_for -t "${2:-60}" is_over "$1" || return 1
    wait "$1"
}

# What came of the jobs, what the newest of them wrote, and the end of every log of the cluster.
print_logs() {
    local log
    squeue --all --states=all \
        --Format=JobID:8,State:14,Reason:22,exit_code:10,RestartCnt:12,NodeList || true
    for log in $(ls -t "${work:-/nonexistent}"/*.out 2>/dev/null | head -n 3) \
        "${CLUSTER_DIR:-/nonexistent}"/log/*.log; do
        [ -s "$log" ] || continue
        echo "--- $log"
        tail -n 30 "$log"
    done
}

# Training with `--brake "$work/brake"` goes slowly from now on, so that none is over before a test
# is done with it, however quick the machine; and as fast as it can again.
brake() { touch "$work/brake"; }
release_brake() { rm -f "$work/brake"; }

# submit ARGUMENTS…: sbatch, and the job id alone on stdout.
submit() {
    sbatch --parsable --output="$work/%j.out" "$@"
}

# submit_script [SBATCH OPTION…] <<'END': the script comes on stdin.
submit_script() {
    local script
    script=$(mktemp "$work/job.XXXXXX")
    cat >"$script"
    chmod 755 "$script"
    submit "$@" "$script"
}

# held ARGUMENTS…: submitted and held, so that the request can be looked at.
held() {
    submit -H "$@" --wrap true
}

# job_field JOB FIELD: as `scontrol show job` prints it: NodeList, TresPerNode, AdminComment …
job_field() {
    scontrol --oneliner show job "$1" | tr ' ' '\n' | sed -n "s/^$2=//p" | head -n 1
}

# waits_for_resources JOB: for GPUs, CPUs or nodes that others have.
waits_for_resources() { [ "$(job_field "$1" Reason)" = Resources ]; }

# job_tres JOB: what it has, or asks for while it waits; 22.05 has one name for both.
job_tres() {
    local field found
    for field in AllocTRES ReqTRES TRES; do
        found=$(job_field "$1" "$field")
        if [ -n "$found" ] && [ "$found" != "(null)" ]; then
            echo "$found"
            return
        fi
    done
}

job_is() {
    local state
    state=$(job_field "$1" JobState)
    [[ ,$2, == *,$state,* ]]
}

# wait_for_job JOB STATE[,STATE…] [SECONDS]
wait_for_job() {
    wait_for -t "${3:-60}" job_is "$1" "$2"
}

# job_output JOB: what it wrote; only whole once the job has ended.
job_output() {
    cat "$work/$1.out"
}

# run_script [SBATCH OPTION…] <<END: what the script printed, once it has ended.
run_script() {
    local job
    job=$(as_user bash -c "$(declare -f submit submit_script); work=$work submit_script \"\$@\"" bash "$@") || return 1
    wait_for_job "$job" COMPLETED,FAILED,CANCELLED >&2 || return 1
    job_output "$job"
}

# assert_equal FOUND EXPECTED
assert_equal() {
    if [ "$1" != "$2" ]; then
        printf 'expected: %s\nfound:    %s\n' "$2" "$1"
        return 1
    fi
}

# assert_contains FOUND PART
assert_contains() {
    if [[ $1 != *"$2"* ]]; then
        printf 'expected to find: %s\nin:               %s\n' "$2" "$1"
        return 1
    fi
}
