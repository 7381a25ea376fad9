#!/usr/bin/env bats
# Does a job survive whatever fails while it is resized?
#
# HORA_FAULT_ROUNDS: how often each fault is tried (1).

load cluster
load controller
load elastic

setup_file() {
    # Without horad the watcher beside a job brings its restart forward and keeps its time limit. A
    # cgroup ends it with the job, which then waits out cred_expire.
    elastic_up fcfs --laboratory
    start_horad
}
teardown_file() { cluster_down; }

setup() { begin_with_horad; }

# as_node NODE COMMAND…: with the mounts of its slurmd, which are its own.
as_node() { nsenter --mount --target "$(<"$CLUSTER_DIR/run/slurmd-$1.pid")" "${@:2}"; }

teardown() {
    [ -z "${BATS_TEST_COMPLETED:-}" ] || return 0
    [ ! -e "$work/full" ] || as_node "$full_node" umount -l "$(<"$work/full")"
    rm -f "$work/full"
    scontrol update PartitionName=main MaxCPUsPerNode=UNLIMITED
    if [ -e "$work/slurmctld.clock" ]; then
        kill_horad
        restart_controller
        start_horad
        rm "$work/slurmctld.clock"
    fi
    clear_after_failure
}

# A job on 2 GPUs that trains for a while, slowly until it is to end: $job.
begin() {
    brake
    epochs=${1:-100}
    job=$(train 1-4 "$epochs" -N1)
    wait_for_job "$job" RUNNING
    goes_on "$job"
}

# has_come_to STATE…: $job is in one of these states of the journal, or has passed them.
has_come_to() {
    local state
    for state; do
        ! is_in_state "$job" "$state" || return 0
    done
    is_settled "$job"
}

is_pending_or_settled() {
    job_is "$job" PENDING || is_settled "$job"
}

# It goes on and ends as if nothing had been.
ends_well() {
    release_brake
    wait_for_job "$job" COMPLETED 240
    assert_trained_once "$job" "$epochs"
    assert_nothing_left
}

@test "horad is killed at every state of its journal" {
    begin $((100 * ${HORA_FAULT_ROUNDS:-1}))
    for ((round = 0; round < ${HORA_FAULT_ROUNDS:-1}; round++)); do
        for state in queued "checkpoint requested" "updating request" "waiting to start" verifying; do
            goes_on "$job"
            hora resize "$job" "$(other_size)"
            # A state that has passed already is as good a moment as any.
            wait_for -b has_come_to "$state"
            kill_horad
            start_horad
            wait_for -t 60 is_settled "$job"
            wait_for_job "$job" RUNNING
        done
    done
    ends_well
}

@test "without horad the job restarts by itself, at one of both sizes" {
    begin
    hora resize "$job" "$(other_size)"
    wait_for -b has_come_to "updating request" "waiting to start"
    kill_horad
    # Slurm alone would let it begin two minutes later; that is not waited for.
    wait_for job_is "$job" PENDING,RUNNING
    scontrol update JobId="$job" StartTime=now+2 || true
    wait_for_job "$job" RUNNING
    start_horad
    ends_well
}

@test "slurmctld is restarted in the middle" {
    begin
    hora resize "$job" "$(other_size)"
    restart_controller
    wait_for -t 90 is_settled "$job"
    ends_well
}

@test "the owner cancels, holds or changes the job meanwhile" {
    begin
    hora resize "$job" "$(other_size)"
    scancel "$job"
    wait_for is_settled "$job"
    wait_for nothing_left
    assert_nothing_left

    begin
    hora resize "$job" "$(other_size)"
    wait_for -b is_pending_or_settled
    if job_is "$job" PENDING; then
        scontrol uhold "$job"
    fi
    wait_for -t 60 is_settled "$job"
    if job_is "$job" PENDING; then
        assert_equal "$(job_field "$job" Priority)" 0
        assert_nothing_left 1
        scontrol release "$job"
        scontrol update JobId="$job" StartTime=now+2 || true # it may run already
    fi
    ends_well

    begin
    requested=$(job_field "$job" NumTasks)
    hora resize "$job" "$(other_size)"
    scontrol update JobId="$job" TimeLimit=77
    wait_for -t 60 is_settled "$job"
    # Set before the requeue it is the limit of the start that runs, and after it that of the next.
    minutes=$(minutes_of "$job")
    [ "$minutes" = 77 ] || assert_equal "$minutes" $((77 * $(stretch "$job" "$requested")))
    ends_well
}

# astray WAY [SBATCH OPTION…]: a job on 2 GPUs whose program goes astray when it is asked for its
# checkpoint: $job.
astray() {
    local way=$1
    shift
    cat >"$work/astray" <<'END'
#!/usr/bin/python3
"""astray WAY: trains until it is asked for a checkpoint, and then

ignores   goes on as if it had not been asked
hangs     does nothing any more, and heeds nothing
fails     exits 1
finishes  exits 0: that was its last step
leaves    has given its handler up, as Python does at its end, when the signal comes
stays     writes the checkpoint, and then heeds nothing, not even that it is to end

A later start exits 0.
"""
import json, os, pathlib, signal, sys, time

asked = []
signal.signal(signal.SIGUSR1, lambda *_: asked.append(1))
way = sys.argv[1]
count = os.environ.get("SLURM_RESTART_COUNT", "0")
folder = pathlib.Path(os.environ["HORA_CHECKPOINT_DIR"])
is_first = os.environ["SLURM_PROCID"] == "0"
(folder / "READY").unlink(missing_ok=True)
step = 0
while count == "0":
    time.sleep(0.2)
    step += 1
    if is_first:
        with open(os.environ["HORA_PROGRESS"], "a") as progress:
            print(json.dumps({"step": step, "epoch": 1, "samples": 64 * step, "seconds": 0.2}),
                  file=progress)
    if asked and way == "leaves":
        signal.signal(signal.SIGUSR1, signal.SIG_DFL)
        os.kill(os.getpid(), signal.SIGUSR1)
    if asked and way in ("fails", "finishes"):
        sys.exit(way == "fails")
    if asked and way != "ignores":
        for deaf in (signal.SIGUSR1, signal.SIGUSR2, signal.SIGTERM, signal.SIGINT):
            signal.signal(deaf, signal.SIG_IGN)
        if way == "stays" and is_first:
            (folder / "READY.new").write_text(f"{step} {count}\n")
            (folder / "READY.new").rename(folder / "READY")
        while True:
            time.sleep(60)
END
    chmod 755 "$work/astray"
    job=$(submit_script --open-mode=append --hora-model=resnet50 --hora-batch=64 \
        --hora-samples=1437 --hora-epochs=9 --hora-gpus=1-2 --hora-elastic "$@" <<END
#!/bin/bash
echo "\$HORA_CHECKPOINT_DIR" >"$work/\$SLURM_JOB_ID.folder"
srun "$work/astray" $way
code=\$?
echo "after srun: \$code" >>"$work/\$SLURM_JOB_ID.after"
exit \$((code > 128 ? code : 0))
END
    )
    wait_for_job "$job" RUNNING
    goes_on "$job"
}

@test "a program that ignores the signal runs on, one that hangs keeps its place" {
    local jobs=()
    for way in ignores hangs; do
        astray "$way"
        hora resize "$job" "$(other_size)"
        jobs+=("$job")
    done
    for job in "${jobs[@]}"; do
        wait_for -t 60 is_settled "$job"
        assert_equal "$(job_field "$job" Restarts)" 0
        job_is "$job" RUNNING
    done
    goes_on "${jobs[0]}"
    assert_nothing_left
    scancel "${jobs[@]}"
    wait_for nothing_left
}

@test "a program that ends just then, well or badly, is over" {
    local code
    for way in finishes fails; do
        astray "$way"
        hora resize "$job" "$(other_size)"
        wait_for -t 60 is_settled "$job"
        wait_for_job "$job" COMPLETED
        assert_equal "$(job_field "$job" Restarts)" 0
        code=0
        [ "$way" = finishes ] || code=1
        assert_equal "$(cat "$work/$job.after")" "after srun: $code"
    done
    assert_nothing_left
}

@test "a job whose program the request has ended is requeued, and goes on" {
    astray leaves
    hora resize "$job" "$(other_size)"
    wait_for -t 60 is_settled "$job"
    wait_for job_is "$job" PENDING
    assert_equal "$(job_field "$job" Restarts)" 1
    # Slurm alone would let it begin two minutes later; that is not waited for.
    scontrol update JobId="$job" StartTime=now+2
    wait_for_job "$job" COMPLETED
    assert_equal "$(cat "$work/$job.after")" "$(printf 'after srun: %s\n' 138 0)"
    assert_nothing_left
}

@test "a program that hangs at its checkpoint is ended, on all its nodes" {
    astray stays -N2 --hora-gpus=2-4
    hora resize "$job" $(($(job_field "$job" NumTasks) == 2 ? 4 : 2))
    wait_for -t 60 is_settled "$job"
    wait_for_job "$job" COMPLETED
    assert_equal "$(job_field "$job" Restarts)" 1
    assert_equal "$(cat "$work/$job.after")" "after srun: 0"
    assert_nothing_left
}

# set_clock DAEMON SECONDS: how far its clock is off from now on. The daemon runs under a library
# that gives it the time, as this file says; the clock that is not set goes on as it is.
set_clock() {
    printf '%+d\n' "$2" >"$work/$1.clock"
}

with_clock() {
    local daemon=$1 library
    shift
    library=$(find /usr/lib -name libfaketimeMT.so.1 | head -n 1)
    [ -n "$library" ]
    set_clock "$daemon" 0
    LD_PRELOAD=$library FAKETIME_TIMESTAMP_FILE=$work/$daemon.clock FAKETIME_NO_CACHE=1 \
        FAKETIME_DONT_FAKE_MONOTONIC=1 DONT_FAKE_MONOTONIC=1 "$@"
}

# What has been sent, and the new start not yet.
is_restarting() {
    is_in_state "$1" "updating request" || is_in_state "$1" "waiting to start" || is_settled "$1"
}

@test "the clock is set, ahead and back, while a job restarts" {
    kill_horad
    with_clock slurmctld restart_controller
    with_clock horad start_horad
    begin
    # That of horad alone by an hour, then that of the controller's host: beyond two minutes Slurm
    # itself would start nothing, for its nodes would find each credential too old.
    for clocks in "horad 3600" "horad -3600" "horad 0" "horad 60 slurmctld 60" \
        "horad 50 slurmctld 50"; do
        goes_on "$job"
        wait_for hora resize "$job" "$(other_size)" # once slurmctld has heard of its node again
        # shellcheck disable=SC2086
        set -- $clocks
        if [ $# -eq 2 ]; then
            wait_for -b is_restarting "$job"
            set_clock "$1" "$2"
        else
            # Where it is set back between a start and its first step, Slurm refuses that step as
            # one of the start before: so nothing starts meanwhile.
            close_nodes
            wait_for job_is "$job" PENDING
            set_clock "$1" "$2"
            set_clock "$3" "$4"
            open_nodes
        fi
        wait_for -t 90 is_settled "$job"
        wait_for_job "$job" RUNNING
    done
    ends_well
    kill_horad
    restart_controller
}

# limited [SBATCH OPTION…]: a job of one or two GPUs that may run ten minutes.
limited() {
    pretend 1-2 3000 -N1 --time=10 "$@"
}

is_restarted() {
    [ "$(job_field "$1" Restarts)" -gt 0 ]
}

# are_heard JOB…: each runs, and horad has its report.
are_heard() {
    local each
    for each in "$@"; do
        wait_for_job "$each" RUNNING
        wait_for has_reported "$each"
    done
}

@test "a resized job has what is left of its time limit, whichever part sees to it, and once at most" {
    job=$(limited)
    changed=$(limited)
    requeued=$(limited --hora-requeue)
    left=$(limited)
    are_heard "$job" "$changed" "$requeued" "$left" # or slurmctld ends amid the start of a step
    kill_horad
    with_clock slurmctld restart_controller
    start_horad
    are_heard "$job" "$changed" "$requeued" "$left"
    # As if they had run that long. Nodes are not heard of for 300 s at most; while one does not
    # answer, nothing is resized on it.
    set_clock slurmctld 240
    requested=$(job_field "$job" NumTasks)
    for each in "$job" "$changed" "$requeued"; do
        gpus=$(job_field "$each" NumTasks)
        wait_for hora resize --force "$each" $((3 - gpus))
    done
    wait_for -t 90 is_restarted "$changed"
    scontrol update JobId="$changed" TimeLimit=12
    for each in "$job" "$changed" "$requeued"; do
        wait_for -t 90 is_settled "$each"
        wait_for_job "$each" RUNNING
        assert_equal "$(job_field "$each" Restarts)" 1
    done
    # What has passed beside that depends on the machine.
    longer=$(stretch "$job" "$requested")
    lasts "$job" $((3 * longer)) $((6 * longer))
    assert_equal "$(minutes_of "$changed")" 12
    assert_equal "$(minutes_of "$requeued")" 10
    before=$((($(minutes_of "$job") + longer - 1) / longer))
    wait_for has_reported "$job"
    wait_for hora resize --force "$job" $((3 - $(job_field "$job" NumTasks)))
    wait_for -t 90 is_settled "$job"
    wait_for_job "$job" RUNNING
    assert_equal "$(job_field "$job" Restarts)" 2
    # Its second start alone has passed.
    longer=$(stretch "$job" "$requested")
    lasts "$job" $(((before - 2) * longer)) $((before * longer))
    # Without horad the program beside the job does the same.
    kill_horad
    for each in "$left" "$requeued"; do
        scancel --signal=USR1 "$each"
    done
    is_back() { [ "$(job_field "$1" Restarts)" = "$2" ] && job_is "$1" RUNNING; }
    wait_for -t 60 is_back "$left" 1
    wait_for -t 60 is_back "$requeued" 2
    lasts "$left" 2 6
    assert_equal "$(minutes_of "$requeued")" 10
    scancel "$job" "$changed" "$requeued" "$left"
    wait_for nothing_left
    start_horad
    assert_nothing_left
    kill_horad
    restart_controller
}

@test "a step's slurmstepd is killed" {
    begin
    stepd=$(stepds_of "$job.0")
    [ -n "$stepd" ]
    kill -KILL "$stepd"
    hora resize "$job" "$(other_size)"
    wait_for -t 60 is_settled "$job"
    scancel "$job"
    wait_for -t 90 nothing_left
    assert_nothing_left
}

@test "slurmd is killed during the checkpoint" {
    begin
    node=$(job_field "$job" NodeList)
    hora resize "$job" "$(other_size)"
    wait_for -b has_come_to "checkpoint requested"
    kill -KILL "$(<"$CLUSTER_DIR/run/slurmd-$node.pid")"
    env DEVCLUSTER="$CLUSTER_DIR" setsid slurmd -f "$SLURM_CONF" -N "$node" </dev/null \
        >>"$CLUSTER_DIR/log/start.log" 2>&1 3>&-
    wait_for -t 90 is_settled "$job"
    ends_well
}

@test "the disk is full at the checkpoint" {
    begin
    folder=$(<"$work/$job.folder")
    full_node=$(job_field "$job" NodeList)
    echo "$folder" >"$work/full"
    as_node "$full_node" mount -t tmpfs -o size=64k,mode=700 tmpfs "$folder"
    as_node "$full_node" dd if=/dev/zero of="$folder/filling" bs=1k count=64 2>/dev/null
    hora resize "$job" "$(other_size)"
    wait_for -t 60 is_settled "$job"
    as_node "$full_node" umount -l "$folder"
    rm "$work/full"
    assert_contains "$(<"$work/$job.out")" "no checkpoint, training goes on"
    assert_equal "$(job_field "$job" Restarts)" 0
    release_brake
    wait_for_job "$job" COMPLETED 240
    assert_nothing_left
}

@test "its new size has become impossible: the job goes on at the old one" {
    job=$(pretend 1-2 600 --nodes=1)
    wait_for_job "$job" RUNNING
    [ "$(job_field "$job" NumTasks)" = 1 ] || resize "$job" 1
    wait_for runs_on "$job" 1
    begin_resize "$job" 2
    # What one task has is still allowed on a node, and what two need is not.
    scontrol update PartitionName=main \
        MaxCPUsPerNode=$((2 * $(job_field "$job" NumCPUs) - 1))
    kill -CONT "$(pretender)"
    wait_for is_settled "$job"
    runs_on "$job" 1
    grep -q "JobId=$job non-runnable" "$CLUSTER_DIR/log/slurmctld.log"
    release_brake
    wait_for_job "$job" COMPLETED 120
    scontrol update PartitionName=main MaxCPUsPerNode=UNLIMITED
    assert_nothing_left
}

@test "a job that waits was given an impossible size: it asks for its old one again" {
    job=$(pretend 1-2 600 --nodes=1 --begin=now+3600)
    [ "$(job_field "$job" NumTasks)" = 1 ] || resize "$job" 1
    priority=$(job_field "$job" Priority)
    cpus=$(job_field "$job" NumCPUs)
    resize "$job" 2
    assert_equal "$(job_field "$job" NumTasks)" 2
    kill_horad
    start_horad
    # What one task has is still allowed on a node, and what two need is not.
    scontrol update PartitionName=main MaxCPUsPerNode=$((2 * ${cpus%-*} - 1))
    # Not before its time slurmctld looks whether a job can ever run.
    scontrol update JobId="$job" StartTime=now
    wait_for runs_on "$job" 1
    assert_equal "$(job_field "$job" Priority)" "$priority"
    grep -q "JobId=$job non-runnable" "$CLUSTER_DIR/log/slurmctld.log"
    wait_for grep -q "job $job: 1 to 2 GPUs .*: reverted" "$CLUSTER_DIR/log/horad.log"
    assert_contains "$(hora explain "$job")" "slurmctld can never run it with"
    release_brake
    wait_for_job "$job" COMPLETED 120
    scontrol update PartitionName=main MaxCPUsPerNode=UNLIMITED
    assert_nothing_left
}
