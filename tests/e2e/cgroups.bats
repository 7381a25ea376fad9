#!/usr/bin/env bats
# Where slurmd tracks processes by cgroups, which signals the top process of a task only: does the
# program hear of a request whatever launched it, and does a job end at once when it is taken back?

load cluster
load controller

setup_file() {
    has_cgroups || return 0
    write_program
    echo "SlurmdDebug=debug2" >"$BATS_FILE_TMPDIR/slurm.conf"
    cluster_up --nodes "$root/tests/e2e/elastic.toml" --cgroups --horad \
        --conf "$BATS_FILE_TMPDIR/slurm.conf"
}
teardown_file() { cluster_down; }
setup() {
    # bats takes a skip in setup_file for a failure.
    has_cgroups || skip "this machine has no cgroups of version 1"
    cd "$work" || return 1
}

has_cgroups() { [ -w /sys/fs/cgroup/freezer/cgroup.procs ]; }

# program: keeps the contract, in steps of a tenth of a second. Notes each request that its
# process gets in asked.RANK.
write_program() {
    cat >"$BATS_FILE_TMPDIR/program" <<'END2'
#!/usr/bin/python3
import json, os, pathlib, signal, time

asked = []
for number in (signal.SIGUSR1, signal.SIGTERM):
    signal.signal(number, lambda which, _: asked.append(which))
os.chdir(os.environ["HORA_CHECKPOINT_DIR"])
start, rank = os.environ.get("SLURM_RESTART_COUNT", "0"), os.environ.get("SLURM_PROCID", "0")
ready, kept = pathlib.Path("READY"), pathlib.Path("step")
if rank == "0":
    ready.unlink(missing_ok=True)

def wait_for_others():  # READY ends them
    end = time.monotonic() + 5
    for other in range(1, int(os.environ.get("SLURM_NTASKS", "1"))):
        noted = pathlib.Path(f"asked.{other}")
        while not (noted.exists() and noted.stat().st_size) and time.monotonic() < end:
            time.sleep(0.02)

step = int(kept.read_text()) if kept.exists() else 0
pathlib.Path(f"runs.{rank}").write_text(start)
while True:
    time.sleep(0.1)
    step += 1
    if rank == "0":
        with open(os.environ["HORA_PROGRESS"], "a") as progress:
            print(json.dumps({"step": step, "epoch": 1, "samples": step, "seconds": 0.1}),
                  file=progress)
    if asked:
        time.sleep(0.3)  # a process that is asked twice shows it
        with open(f"asked.{rank}", "a") as log:
            print(start, *asked, file=log)
        if rank == "0":
            wait_for_others()
            kept.write_text(f"{step}\n")
            new = pathlib.Path("READY.new")
            new.write_text(f"{step} {start}\n")
            new.rename(ready)
        time.sleep(60)
        asked.clear()
END2
}

# job_of NAME SBATCH-OPTION… <<'END': as a plain user; the script comes on stdin.
job_of() {
    folder=$work/$1
    [ -x "$work/program" ] || install -m 755 "$BATS_FILE_TMPDIR/program" "$work/program"
    as_user mkdir "$folder"
    cat >"$folder.sh"
    shift
    job=$(as_user env HORA_CHECKPOINT_DIR="$folder" sbatch --parsable --open-mode=append \
        -o "$folder.out" --hora-requeue --gres=gpu:1 "$@" "$folder.sh" 2>"$folder.err")
}

# runs_in START [RANK]: that rank has its handlers.
runs_in() {
    [ "$(cat "$folder/runs.${2:-0}" 2>/dev/null)" = "$1" ] && has_steps 3
}
has_steps() { [ "$(wc -l <"$folder/progress.jsonl")" -ge "$1" ]; }

# Whether it still waits or runs again already.
was_requeued() { [ "$(job_field "$job" Restarts)" = "$1" ]; }
is_over() { ! squeue --noheader --states=all --jobs="$job" --format=%T | grep -qE 'RUNN|COMPLETING|PEND'; }

# comes_back: asked once, it is in its next start soon, and nothing after srun has run.
comes_back() {
    as_user scancel --signal=USR1 "$job"
    wait_for -t 20 was_requeued 1
    ! grep -qx TAIL "$folder.out" || return 1
    as_user scancel "$job"
    wait_for_job "$job" CANCELLED
}

# Of two ranks.
each_rank_is_asked_once() {
    wait_for runs_in 0 0
    wait_for runs_in 0 1
    comes_back
    assert_equal "$(cat "$folder/asked.0" "$folder/asked.1")" "$(printf '0 10\n0 10')"
}

@test "a request reaches the program below a wrapper on each node, once" {
    printf '#!/bin/bash\n./program\necho "program ends"\n' >"$work/wrapper.sh"
    chmod 755 "$work/wrapper.sh"
    job_of wrapped -N2 -n2 <<'END2'
#!/bin/bash
srun ./wrapper.sh
echo TAIL
END2
    each_rank_is_asked_once
}

@test "a request reaches a program that is the task itself once" {
    job_of bare -N1 -n1 <<'END2'
#!/bin/bash
srun ./program
echo TAIL
END2
    wait_for runs_in 0
    comes_back
    assert_equal "$(cat "$folder/asked.0")" "0 10"
}

@test "a request reaches the workers of an agent that handles SIGTERM only" {
    cat >"$work/agent" <<'END2'
#!/usr/bin/python3
import os, signal, subprocess, sys

def stop(number, _):
    for worker in workers:
        worker.terminate()

signal.signal(signal.SIGTERM, stop)
workers = [subprocess.Popen(["bash", "-c", "./program; true"], env={**os.environ, "SLURM_PROCID": str(rank), "SLURM_NTASKS": "2"})
           for rank in range(2)]
sys.exit(max(worker.wait() for worker in workers))
END2
    chmod 755 "$work/agent"
    job_of agents -N1 -n1 <<'END2'
#!/bin/bash
srun ./agent
echo TAIL
END2
    each_rank_is_asked_once
}

@test "what has no handler for the request lives on" {
    job_of deaf -N1 -n1 <<'END2'
#!/bin/bash
srun bash -c 'python3 -c "
import os, pathlib, signal, time
signal.signal(signal.SIGUSR1, signal.SIG_DFL)  # it would end by the request
folder = pathlib.Path(os.environ[\"HORA_CHECKPOINT_DIR\"])
(folder / \"runs\").touch()
signal.alarm(120)
while not (folder / \"end\").exists():
    time.sleep(0.1)
"; exit $?'
echo "srun: $?"
END2
    wait_for test -e "$folder/runs"
    as_user scancel --signal=USR1 "$job"
    wait_for grep -q "Sent signal 10 to StepId=$job.0" "$CLUSTER_DIR"/log/slurmd-*.log
    as_user touch "$folder/end"
    wait_for_job "$job" COMPLETED
    assert_equal "$(tail -n 1 "$folder.out")" "srun: 0"
}

@test "a cancelled job ends at once, though its program takes SIGTERM for a request" {
    job_of cancelled -N2 -n2 <<'END2'
#!/bin/bash
srun bash -c './program; true'
END2
    wait_for runs_in 0 0
    wait_for runs_in 0 1
    as_user scancel "$job"
    wait_for -t 12 is_over
    wait_for_job "$job" CANCELLED
}

@test "a job that horad did not resize is back soon" {
    job_of soon -N1 -n1 <<'END2'
#!/bin/bash
srun ./program
echo TAIL
END2
    wait_for runs_in 0
    as_user scancel --signal=USR1 "$job"
    wait_for -t 20 was_requeued 1
    wait_for -t 30 runs_in 1
    ! grep -qx TAIL "$folder.out" || return 1
    as_user scancel "$job"
    wait_for_job "$job" CANCELLED
}

# Where slurmstepd finds anything left in a step that is over, it kills that and sleeps for a second.
killed_of() {
    grep -chE "\[$1\..*killing process .* with signal 9" "$CLUSTER_DIR"/log/slurmd-*.log |
        awk '{ sum += $1 } END { print sum }'
}

# A process that the kernel has not got rid of yet counts as well: on a busy machine one start of
# some may have one, and a watcher that stays would be left of all.
@test "nothing that slurmstepd waits for is left of a start that was taken back" {
    local start before
    job_of taken -N2 -n4 <<'END2'
#!/bin/bash
srun bash -c './program; true'
echo TAIL
END2
    wait_for runs_in 0
    for start in 1 2 3; do
        before=$(killed_of "$job")
        as_user scancel --signal=USR1 "$job"
        wait_for -t 20 was_requeued "$start"
        wait_for -t 30 runs_in "$start"
        [ "$(killed_of "$job")" -gt "$before" ] || break
    done
    assert_equal "$(killed_of "$job")" "$before"
    as_user scancel "$job"
    wait_for_job "$job" CANCELLED
}

@test "nothing that slurmstepd waits for is left of a job that ends" {
    local try
    for try in 1 2 3; do
        job_of "ends$try" -N1 -n2 <<'END2'
#!/bin/bash
srun true
srun bash -c 'echo "{}" >>"$HORA_PROGRESS"'
END2
        wait_for_job "$job" COMPLETED
        [ "$(killed_of "$job")" -gt 0 ] || break
    done
    assert_equal "$(killed_of "$job")" 0
}

@test "a request reaches the ranks of an mpirun inside srun" {
    job_of mpirun -N1 -n1 --hora-launch=node <<'END2'
#!/bin/bash
# The node's name is not the host's here, so mpirun must not look for the nodes of the job.
srun mpirun --mca ras ^slurm --mca plm ^slurm --oversubscribe -np 2 bash -c \
    'SLURM_PROCID=$OMPI_COMM_WORLD_RANK SLURM_NTASKS=2 exec ./program'
echo TAIL
END2
    each_rank_is_asked_once
}

@test "the signal that its owner chose asks the program, and no other does" {
    for name in USR2 TERM; do
        sed "s/signal.SIGUSR1, signal.SIGTERM/signal.SIG$name,/" "$work/program" >"$work/program.$name"
        chmod 755 "$work/program.$name"
        job_of "by$name" -N1 -n1 --hora-signal="$name" <<END2
#!/bin/bash
srun bash -c './program.$name; true'
echo TAIL
END2
        wait_for runs_in 0
        [ "$name" = TERM ] && sent=USR1 || sent=USR2
        as_user scancel --signal="$sent" "$job"
        wait_for -t 20 was_requeued 1
        ! grep -qx TAIL "$folder.out" || return 1
        assert_equal "$(cat "$folder/asked.0")" "0 $(kill -l "$name")"
        wait_for -t 30 runs_in 1
        as_user scancel "$job"
        wait_for -t 12 is_over
        wait_for_job "$job" CANCELLED
        assert_equal "$(wc -l <"$folder/asked.0")" 1
    done
}

# As submitit's job environment does it: SIGUSR2 requeues, from rank 0; others are passed over.
write_requeuer() {
    cat >"$work/requeuer" <<'END2'
#!/usr/bin/python3
import os, pathlib, signal, subprocess, sys

def requeue(number, _):
    if os.environ["SLURM_PROCID"] == "0":
        subprocess.check_call(["scontrol", "requeue", os.environ["SLURM_JOB_ID"]])
        sys.exit(-1)

signal.signal(signal.SIGUSR2, requeue)
for number in (signal.SIGTERM, signal.SIGCONT):
    signal.signal(number, lambda *_: None)
pathlib.Path(sys.argv[1], "starts").open("a").write(os.environ.get("SLURM_RESTART_COUNT", "0") + "\n")
signal.alarm(120)
while "SLURM_RESTART_COUNT" not in os.environ:
    signal.pause()
END2
    chmod 755 "$work/requeuer"
}
has_starts() { [ "$(cat "$folder/starts" 2>/dev/null)" = "$1" ]; }

@test "a program that requeues itself, as submitit's do, comes back once" {
    write_requeuer
    folder=$work/requeuer.d
    as_user mkdir "$folder"
    for contract in --hora-batch=8 --hora-requeue; do
        job=$(as_user sbatch --parsable -N1 -n1 --gres=gpu:1 --open-mode=append -o "$folder.out" \
            --requeue "$contract" --wrap "srun ./requeuer $folder")
        wait_for has_starts 0
        as_user scancel --signal=USR2 "$job"
        wait_for -t 20 was_requeued 1
        wait_for_job "$job" PENDING
        scontrol update JobId="$job" StartTime=now+2 # not after cred_expire
        wait_for_job "$job" COMPLETED
        assert_equal "$(cat "$folder/starts")" $'0\n1'
        assert_equal "$(job_field "$job" Restarts)" 1
        rm "$folder/starts"
    done
}
