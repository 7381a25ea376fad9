#!/usr/bin/env bats
# Does a job come back at its checkpoints, once each, and only when it may?

load cluster
load controller
load trainer

setup_file() {
    sed 's/^mode = .*/&\n[requeue]\nmax = 3/' "$root/scripts/dev/hora.toml" >"$BATS_FILE_TMPDIR/hora.toml"
    cat >"$BATS_FILE_TMPDIR/slurm.conf" <<END
PreemptType=preempt/partition_prio
PreemptMode=REQUEUE
MpiDefault=$mpi
SlurmctldParameters=preempt_send_user_signal
PartitionName=low Nodes=n4 PreemptMode=REQUEUE GraceTime=60 PriorityTier=1
PartitionName=high Nodes=n4 PreemptMode=OFF PriorityTier=9
END
    # No daemon: the watcher brings the restart forward, which ends with the job where that has a
    # cgroup (cgroups.bats).
    cluster_up --laboratory --settings "$BATS_FILE_TMPDIR/hora.toml" \
        --conf "$BATS_FILE_TMPDIR/slurm.conf"
}
teardown_file() { cluster_down; }
setup() {
    [ -x "$trainer" ] || skip "built without MPI"
    cd "$work" || return 1
    brake
    unset HORA_BATCH HORA_SHARE HORA_PROGRESS HORA_CHECKPOINT_DIR SLURM_RESTART_COUNT
    export HORA_CONF=$CLUSTER_DIR/etc/hora.toml
}

# job_of NAME SBATCH-OPTION… <<'END': as a plain user; the script comes on stdin. Its folder for
# checkpoints is $folder.
job_of() {
    folder=$work/$1
    cat >"$work/$1.sh"
    shift
    job=$(as_user env HORA_CHECKPOINT_DIR="$folder" sbatch --parsable -o "$folder.out" \
        "$@" "$folder.sh" 2>"$folder.err")
}

steps_of() {
    jq -R 'fromjson? | .step' "$folder/progress.jsonl" | xargs
}

# has_lines COUNT: that many progress lines.
has_lines() {
    [ "$(wc -l <"$folder/progress.jsonl")" -ge "$1" ]
}

is_restarted() {
    [ "$(job_field "$1" Restarts)" = "$2" ] && job_is "$1" RUNNING
}

is_noted() {
    grep -q "$1" "$folder/hora.log"
}

# A program that has its checkpoint ready as soon as it starts: step 5, and one more a start for
# each argument given. It ends when READY has gone, or its job is ended.
write_hasty() {
    cat >"$work/hasty" <<'END'
#!/bin/bash
mkdir -p "$HORA_CHECKPOINT_DIR"
cd "$HORA_CHECKPOINT_DIR" || exit 1
count=${SLURM_RESTART_COUNT:-0}
echo "$((5 + $# * count)) $count" >READY.new
mv READY.new READY
while [ -e READY ] && [ "$SECONDS" -lt 120 ]; do sleep 0.1; done
echo "went on in start $count"
END
    chmod 755 "$work/hasty"
}

# bats test_tags=releases
@test "at a checkpoint the job comes back, and what follows srun runs once" {
    job_of whole -N1 -n1 --hora-requeue <<'END'
#!/bin/bash
echo "START ${SLURM_RESTART_COUNT:-0}"
bash -c 'srun hora-train-digits --epochs 100 --brake brake; echo TAIL'
echo END
END
    for restarts in 1 2; do
        lines=$({ wc -l <"$folder/progress.jsonl"; } 2>/dev/null || echo 0)
        wait_for has_lines $((lines + 10))
        as_user scancel --signal=USR1 "$job"
        wait_for is_restarted "$job" $restarts
        wait_for is_noted "start $((restarts - 1)): requeued"
    done
    release_brake
    wait_for_job "$job" COMPLETED 120
    assert_equal "$(grep -cx TAIL "$folder.out")" 1
    assert_equal "$(grep -cx END "$folder.out")" 1
    assert_equal "$(grep -x 'START .*' "$folder.out" | xargs)" "START 0 START 1 START 2"
    assert_equal "$(grep -c 'resumed after step' "$folder.out")" 2
    assert_equal "$(steps_of)" "$(seq 2300 | xargs)"
    [ ! -e "$folder/READY" ]
}

@test "ranks on several nodes write their checkpoint together" {
    job_of ranks -w n1,n2 -N2 --ntasks-per-node=2 --hora-elastic --hora-requeue \
        --hora-model=resnet18 --hora-batch=64 --hora-samples=64 --hora-epochs=1 --hora-gpus=4 <<'END'
#!/bin/bash
# Two nodes of one machine would mix up their shared memory.
export OMPI_MCA_btl=self,tcp
srun hora-train-digits --epochs 40 --brake brake
echo TAIL
END
    wait_for -t 90 has_lines 20
    as_user scancel --signal=USR1 "$job"
    wait_for is_restarted "$job" 1
    release_brake
    wait_for_job "$job" COMPLETED 120
    assert_equal "$(grep -cx TAIL "$folder.out")" 1
    assert_equal "$(steps_of)" "$(seq 920 | xargs)"
    assert_contains "$(cat "$folder.out")" "batch 64 on 4 ranks"
}

@test "a cancelled job stays cancelled, though it writes a checkpoint" {
    job_of cancelled -N1 -n1 --hora-requeue <<'END'
#!/bin/bash
srun hora-train-digits --epochs 10000
END
    wait_for has_lines 20
    as_user scancel "$job"
    wait_for_job "$job" CANCELLED
    assert_equal "$(job_field "$job" Restarts)" 0
}

@test "a job that may not be requeued any more trains on" {
    job_of kept -N1 -n1 --hora-requeue <<'END'
#!/bin/bash
srun hora-train-digits --epochs 60 --brake brake
echo TAIL
END
    wait_for has_lines 20
    as_user scontrol update "jobid=$job" requeue=0
    as_user scancel --signal=USR1 "$job"
    wait_for is_noted "not requeued at the checkpoint of step .*--no-requeue"
    release_brake
    wait_for_job "$job" COMPLETED 120
    assert_equal "$(job_field "$job" Restarts)" 0
    assert_equal "$(steps_of)" "$(seq 1380 | xargs)"
}

@test "a restart without a step of progress is the last" {
    write_hasty
    job_of eager --hora-requeue <<'END'
#!/bin/bash
srun ./hasty
echo TAIL
END
    wait_for_job "$job" COMPLETED
    assert_equal "$(job_field "$job" Restarts)" 1
    assert_contains "$(<"$folder/hora.log")" "start 1: not requeued at the checkpoint of step 5: no step of progress"
    assert_equal "$(grep -cx TAIL "$folder.out")" 1
    assert_contains "$(<"$folder.out")" "went on in start 1"
}

@test "there are no more restarts than requeue.max" {
    write_hasty
    job_of often --hora-requeue <<'END'
#!/bin/bash
srun ./hasty further
END
    wait_for_job "$job" COMPLETED 120
    assert_equal "$(job_field "$job" Restarts)" 3
    assert_contains "$(<"$folder/hora.log")" "start 3: not requeued at the checkpoint of step 8: it has been restarted 3 times"
    release_brake
}

@test "READY of another start, or of a job that did not ask, moves nothing" {
    write_hasty
    sed -i 's/\$count" >READY.new/7" >READY.new/' "$work/hasty"
    sed 's/^while.*/for _ in $(seq 25); do sleep 0.1; done/' "$work/hasty" >"$work/patient"
    chmod 755 "$work/patient"
    job_of other --hora-requeue <<'END'
#!/bin/bash
srun ./patient
END
    other=$job
    job_of plain --hora-model=resnet18 --hora-batch=8 <<'END'
#!/bin/bash
srun ./patient
END
    wait_for_job "$job" COMPLETED
    wait_for_job "$other" COMPLETED
    assert_equal "$(job_field "$job" Restarts)$(job_field "$other" Restarts)" 00
    [ -e "$folder/READY" ] && [ -e "$work/other/READY" ]
}

@test "before its time limit the job is signalled, and has its full time again" {
    job_of limited -t 1 -N1 -n1 --hora-requeue <<'END'
#!/bin/bash
srun hora-train-digits --epochs 100000 --report-steps 10
echo TAIL
END
    wait_for -t 120 is_restarted "$job" 1
    assert_equal "$(job_field "$job" TimeLimit)" 00:01:00
    assert_contains "$(<"$folder/hora.log")" "start 0: requeued"
    ! grep -qx TAIL "$folder.out" || return 1
    as_user scancel "$job"
    wait_for_job "$job" CANCELLED
}

@test "a preempted job writes its checkpoint and comes back" {
    job_of preempted -p low -N1 -n1 --exclusive --hora-requeue <<'END'
#!/bin/bash
srun hora-train-digits --epochs 100000 --report-steps 10
echo TAIL
END
    wait_for has_lines 2
    other=$(as_user sbatch --parsable -p high -N1 --exclusive -o /dev/null --wrap 'sleep 1')
    wait_for_job "$other" COMPLETED
    wait_for is_restarted "$job" 1
    wait_for grep -q "resumed after step" "$folder.out"
    assert_contains "$(<"$folder/hora.log")" "start 0: requeued"
    ! grep -qx TAIL "$folder.out" || return 1
    as_user scancel "$job"
    wait_for_job "$job" CANCELLED
}

# lose_node NODE [whole]: slurmd is dead, and with "whole" all that ran there too; Slurm finds the
# node down, as it does by itself after SlurmdTimeout. Drained, it gets no job either if a word of
# the dead slurmd is read late and brings the node back.
lose_node() {
    local pid
    kill -KILL "$(<"$CLUSTER_DIR/run/slurmd-$1.pid")"
    if [ "${2:-}" = whole ]; then
        # Those first that would report the others' end to slurmctld.
        for pid in $(stepds_of "$job." "$1") $(processes_on "$1"); do
            kill -KILL "$pid" 2>/dev/null || true
        done
    fi
    scontrol update "nodename=$1" state=drain reason=test
    scontrol update "nodename=$1" state=down reason=test
}

# slurmd_start NODE: when its slurmd started, as Slurm has it.
slurmd_start() {
    scontrol --oneliner show node "$1" | tr ' ' '\n' | sed -n 's/^SlurmdStartTime=//p'
}

has_new_slurmd() {
    [ "$(slurmd_start "$1")" != "$2" ] && sinfo --noheader "--nodes=$1" --format=%T | grep -qx idle
}

find_node() {
    local before
    before=$(slurmd_start "$1")
    env DEVCLUSTER="$CLUSTER_DIR" setsid slurmd -f "$SLURM_CONF" -N "$1" </dev/null \
        >>"$CLUSTER_DIR/log/start.log" 2>&1 3>&-
    scontrol update "nodename=$1" state=resume 2>/dev/null || true # it may be back by itself
    wait_for has_new_slurmd "$1" "$before"
}

@test "after a node failure the job resumes from its newest checkpoint" {
    job_of lost -N1 -n1 --hora-requeue <<'END'
#!/bin/bash
srun hora-train-digits --epochs 40 --checkpoint-epochs 1 --brake brake
echo TAIL
END
    wait_for has_lines 50
    node=$(job_field "$job" NodeList)
    lose_node "$node" whole
    wait_for_job "$job" PENDING
    # It may not begin for two minutes, by Slurm's rule.
    as_user scontrol update "jobid=$job" StartTime=now+2
    wait_for is_restarted "$job" 1
    wait_for grep -q "resumed after step" "$folder.out"
    # What Slurm requeued counts as a restart too: three are allowed.
    for restarts in 2 3; do
        wait_for has_lines $(($(wc -l <"$folder/progress.jsonl") + 10))
        as_user scancel --signal=USR1 "$job"
        wait_for is_restarted "$job" $restarts
    done
    wait_for has_lines $(($(wc -l <"$folder/progress.jsonl") + 10))
    as_user scancel --signal=USR1 "$job"
    wait_for is_noted "start 3: not requeued at the checkpoint of step .*it has been restarted 3 times"
    wait_for_job "$job" COMPLETED 120
    assert_equal "$(grep -cx TAIL "$folder.out")" 1
    assert_equal "$(steps_of | tr ' ' '\n' | sort -n | uniq | xargs)" "$(seq 920 | xargs)"
    # No further back than the last whole epoch, of 23 steps.
    first=$(grep -m 1 -o "resumed after step [0-9]*" "$folder.out" | tr -dc '0-9')
    [ $((first % 23)) = 0 ] && [ "$first" -gt 0 ]
    find_node "$node"
}

has_nothing_on() {
    [ -z "$(stepds_of "$job." "$1")$(processes_on "$1")" ]
}

@test "a start whose node was taken for lost does not train beside the next one" {
    for script in 'srun hora-train-digits' 'mpirun -np 1 hora-train-digits'; do
        job_of twice -N1 -n1 --hora-requeue <<END
#!/bin/bash
$script --epochs 100000 --checkpoint-epochs 1 --report-steps 10
END
        wait_for has_lines 5
        node=$(job_field "$job" NodeList)
        lose_node "$node"
        wait_for_job "$job" PENDING
        as_user scontrol update "jobid=$job" StartTime=now+2
        wait_for is_restarted "$job" 1
        wait_for has_nothing_on "$node"
        lines=$(wc -l <"$folder/progress.jsonl")
        wait_for has_lines $((lines + 3))
        as_user scancel "$job"
        wait_for_job "$job" CANCELLED
        find_node "$node"
        rm -rf "$folder"
    done
}

@test "each task of an array comes back by itself" {
    cat >"$work/tasks.sh" <<'END'
#!/bin/bash
echo "$HORA_CHECKPOINT_DIR" >tasks.$SLURM_ARRAY_TASK_ID.folder
srun hora-train-digits --epochs 60 --brake brake
echo TAIL
END
    array=$(as_user sbatch --parsable -o "$work/tasks-%a.out" -N1 -n1 --array=1-3 --hora-requeue \
        "$work/tasks.sh")
    for task in 1 2 3; do
        wait_for test -s "$work/tasks.$task.folder"
        folder=$(<"$work/tasks.$task.folder")
        wait_for has_lines 20
    done
    # The last one has the number of the whole array.
    for task in 3 1; do
        as_user scancel --signal=USR1 "${array}_$task"
        folder=$(<"$work/tasks.$task.folder")
        wait_for grep -q "start 0: requeued" "$folder/hora.log"
    done
    release_brake
    for task in 1 2 3; do
        wait_for_job "${array}_$task" COMPLETED 120
        folder=$(<"$work/tasks.$task.folder")
        assert_equal "$(steps_of)" "$(seq 1380 | xargs)"
        assert_equal "$(grep -cx TAIL "$work/tasks-$task.out")" 1
        assert_equal "$(job_field "${array}_$task" Restarts)" $((task == 2 ? 0 : 1))
    done
}

@test "without the program beside it a job runs as ever, and its log says so once" {
    mv "$CLUSTER_DIR/bin/hora-watch-job" "$CLUSTER_DIR/bin/away"
    job_of alone --hora-requeue <<'END'
#!/bin/bash
srun true && srun grep SigIgn /proc/self/status && echo TAIL
END
    wait_for_job "$job" COMPLETED
    mv "$CLUSTER_DIR/bin/away" "$CLUSTER_DIR/bin/hora-watch-job"
    assert_equal "$(grep -c 'cannot run .*hora-watch-job' "$folder.out")" 1
    # A task that is asked for a checkpoint before it can write one lives on.
    local mask
    mask=$(sed -n 's/^SigIgn:[[:space:]]*//p' "$folder.out")
    assert_equal $((0x$mask >> ($(kill -l USR1) - 1) & 1)) 1
    assert_equal "$(grep -cx TAIL "$folder.out")" 1
}

@test "a job that cannot keep the contract gets a message, and passes as it is" {
    local model=(--hora-model=resnet18 --hora-batch=32)
    run sbatch -H "${model[@]}" --hora-elastic -o /dev/null --wrap true
    assert_equal "$status" 0
    assert_contains "$output" "--hora-elastic is ignored: --hora-samples, --hora-epochs are missing"
    model+=(--hora-samples=64 --hora-epochs=2)
    run sbatch -H "${model[@]}" --hora-elastic --array=1-2 -o /dev/null --wrap true
    assert_contains "$output" "--hora-elastic is ignored: the tasks of a job array keep their size"
    run env HORA_CHECKPOINT_DIR="$work" sbatch -H --hora-requeue --array=1-2 -o /dev/null --wrap true
    assert_contains "$output" "--hora-requeue is ignored: the tasks of the array would share one"
    run sbatch -H "${model[@]}" --hora-elastic --no-requeue -o /dev/null --wrap true
    assert_contains "$output" "--hora-elastic is ignored: the job is not to be requeued (--no-requeue)"
    run sbatch -H --hora-requeue --no-requeue -o /dev/null --wrap true
    assert_contains "$output" "--hora-requeue is ignored: the job is not to be requeued (--no-requeue)"
    run srun "${model[@]}" --hora-elastic true
    assert_contains "$output" "--hora-elastic is ignored: only a job of sbatch"
    assert_equal "$status" 0
    run sbatch -H "${model[@]}" --hora-elastic -o /dev/null --wrap true : -n1 "${model[@]}"
    assert_contains "$output" "--hora-elastic is ignored: the parts of a heterogeneous job"
    scancel --state=PENDING --user=root
}
