#!/usr/bin/env bats
# Does each start of a job with a range of batches have the one that its comment names, and does a
# size bring its batch along?

load cluster
load controller
load elastic

setup_file() {
    elastic_up fcfs # a policy that resizes nothing
    start_horad
    cat >"$work/show" <<'END'
#!/bin/sh
# After the rank, and on one line: what the batch is.
echo "${1:-$SLURM_PROCID} $(printenv HORA_BATCH) $(printenv HORA_BATCH_MIN) $(printenv HORA_SHARE)"
END
    cat >"$work/script" <<END
#!/bin/sh
$work/show script
srun -l -n2 $work/show
srun -n1 --export=NONE $work/show
echo done \${SLURM_RESTART_COUNT:-0}
[ ! -e $work/stay ] || sleep 1000
END
    chmod 755 "$work/show" "$work/script"
    cat >"$work/program" <<'END'
# Keeps the checkpoint contract, and makes steps while there is a file "go".
import json, os, signal, time

folder, restarts = os.environ["HORA_CHECKPOINT_DIR"], os.environ.get("SLURM_RESTART_COUNT", "0")
asked = []
signal.signal(signal.SIGUSR1, lambda *_: asked.append(1))
step = 0
if os.path.exists(folder + "/step"):
    with open(folder + "/step") as last:
        step = int(last.read())

def write(name, text):
    with open(folder + "/new", "w") as file:
        file.write(text)
    os.rename(folder + "/new", folder + "/" + name)

while True:
    time.sleep(0.1)
    if os.path.exists("go"):
        step += 1
        with open(os.environ["HORA_PROGRESS"], "a") as progress:
            progress.write(json.dumps({"step": step, "epoch": 1, "samples": 64 * step,
                                       "seconds": 0.1, "noise_scale": 1500.5}) + "\n")
    if asked:
        asked.clear()
        write("step", str(step))
        write("READY", f"{step} {restarts}")
END
}
teardown_file() { cluster_down; }
setup() {
    cd "$work" || return 1
    rm -f stay go
    use_watcher "$CLUSTER_DIR/bin/hora-watch-job"
}

use_watcher() {
    echo "optional $CLUSTER_DIR/plugins/spank_hora.so settings=$HORA_CONF helper=$CLUSTER_DIR/bin/hora-read-model watcher=$1" \
        >"$CLUSTER_DIR/etc/plugstack.conf"
}

# held_job [SBATCH OPTION…]: one that waits to be released, of an ordinary user.
held_job() {
    as_user sbatch --parsable --hold --output="$work/%j.out" --open-mode=append -n2 "$@" \
        "$work/script"
}

range=(--hora-batch=64-1024 --hora-elastic)

# output_with COMMENT [SBATCH OPTION…]: of a job that starts with that administrator's comment.
output_with() {
    local comment=$1 job
    shift
    job=$(held_job "$@") || return 1
    scontrol update JobId="$job" AdminComment="$comment" || return 1
    scontrol release "$job"
    wait_for_job "$job" COMPLETED >&2 || return 1
    job_output "$job"
}

# assert_batch OUTPUT BATCH SHARE: of the script, of both tasks, and of one without its exports.
assert_batch() {
    assert_contains "$1" "script $2 64 "
    assert_contains "$1" "0: 0 $2 64 $3"
    assert_contains "$1" "1: 1 $2 64 $3"
    assert_contains "$1" $'\n'"0 $2 64 $2"
}

# bats test_tags=releases
@test "a job begins with the smallest of its range, or with what it was given while it waited" {
    assert_batch "$(output_with "mine" "${range[@]}")" 64 32
    assert_batch "$(output_with "mine hora-batch=512 yours" "${range[@]}")" 512 256
}

# Slurm 26.05 asks a login shell of the user's for the environment then, which the test's has not.
@test "a script that has nothing of its owner's environment has its batch" {
    assert_batch "$(output_with "hora-batch=1024" --export=NONE "${range[@]}")" 1024 512
}

is_cleaned_up() { [ -z "$(squeue --noheader --job "$1" --states=COMPLETING)" ]; }

# bats test_tags=releases
@test "a job that starts anew has the batch that it was given since" {
    touch stay
    job=$(held_job "${range[@]}")
    scontrol release "$job"
    wait_for grep -qs "done 0" "$work/$job.out"
    assert_batch "$(job_output "$job")" 64 32
    rm "$work/$job.out" stay
    scontrol requeuehold "$job"
    wait_for_job "$job" PENDING
    wait_for is_cleaned_up "$job"
    scontrol update JobId="$job" AdminComment="hora-batch=512" StartTime=now+2seconds
    scontrol release "$job"
    wait_for_job "$job" COMPLETED
    assert_batch "$(job_output "$job")" 512 256
}

@test "what is no batch of the job's range is ignored" {
    for comment in hora-batch=63 hora-batch=1025 hora-batch=x "hora-batch=-512" \
        "hora-batch=512x" "hora-batch=99999999999999999999" "xhora-batch=512"; do
        output=$(output_with "$comment" "${range[@]}")
        assert_batch "$output" 64 32
        [[ $output != *hora:* ]]
    done
    output=$(output_with "hora-batch=512" --hora-batch=64)
    assert_contains "$output" "script 64  "
    assert_contains "$output" "0: 0 64  32"
}

@test "a batch of the user's own stays" {
    output=$(HORA_BATCH=100 output_with "hora-batch=512" --export=ALL "${range[@]}")
    assert_contains "$output" "script 100 64 "
    assert_contains "$output" "0: 0 100 64 50"
}

@test "a start waits five seconds at most for its batch" {
    use_watcher /nonexistent/program
    output=$(output_with "hora-batch=512" "${range[@]}")
    assert_batch "$output" 64 32
    assert_contains "$output" "hora: HORA_BATCH is the smallest of its range: cannot start"
    printf '#!/bin/sh\nexec sleep 1000\n' >"$work/slow"
    chmod 755 "$work/slow"
    use_watcher "$work/slow"
    begun=$SECONDS
    output=$(output_with "hora-batch=512" "${range[@]}")
    assert_batch "$output" 64 32
    assert_contains "$output" "took too long"
    [ $((SECONDS - begun)) -lt 20 ]
}

# timed JOB: the batches with which the history has timed it.
timed() {
    python3 -c 'import sqlite3, sys
base = sqlite3.connect(f"file:{sys.argv[1]}?mode=ro", uri=True)
print(*[batch for batch, in base.execute(
    "SELECT DISTINCT batch FROM samples WHERE job = ? ORDER BY batch", sys.argv[2:])])' \
        "$CLUSTER_DIR/state/hora/history.db" "$1"
}
is_timed_with() { [[ " $(timed "$1") " == *" $2 "* ]]; }

# word_of JOB: the batch that its comment names.
word_of() { scontrol show job "$1" | sed -n 's/^ *AdminComment=.*hora-batch=\([0-9]*\).*/\1/p'; }

# has_settled_on JOB BATCH: it runs with that, and nothing is about to change.
has_settled_on() {
    job_is "$1" RUNNING && [ "$(word_of "$1")" = "$2" ] && is_settled "$1"
}

# bats test_tags=releases
@test "a running job gets its batch with its size" {
    touch go
    job=$(submit_script --open-mode=append --hora-model=resnet50 --hora-samples=100000 \
        --hora-epochs=90 --hora-gpus=1-4 --hora-sizes=1,2,4 "${range[@]}" <<END
#!/bin/bash
echo "start \${SLURM_RESTART_COUNT:-0} batch \$HORA_BATCH of \$HORA_BATCH_MIN tasks \$SLURM_NTASKS"
srun -n1 python3 program
END
    )
    wait_for_job "$job" RUNNING
    first=$(job_field "$job" NumTasks)
    wait_for grep -q "start 0 batch 64 of 64 tasks $first" "$work/$job.out"
    # Its steps take as long with each batch.
    wait_for -t 120 has_settled_on "$job" 1024
    wait_for grep -q "start [1-9] batch 1024 of 64 tasks $first" "$work/$job.out"
    wait_for is_timed_with "$job" 1024
    size=$(other_size)
    resize "$job" "$size"
    wait_for grep -q "start [1-9] batch 1024 of 64 tasks $size" "$work/$job.out"
    assert_equal "$(word_of "$job")" 1024
    scancel "$job"
    assert_nothing_left
}

# refused MESSAGE SBATCH OPTION…
refused() {
    local message=$1
    shift
    run as_user sbatch --wrap true "$@"
    [ "$status" -ne 0 ]
    assert_contains "$output" "$message"
}

@test "a range is for elastic jobs, and a noise scale for a range" {
    refused "add --hora-elastic" --hora-batch=64-1024
    refused "give a range of them" --hora-batch=64 --hora-noise-scale=100 --hora-elastic
    refused "ends below its start" --hora-batch=1024-64 --hora-elastic
}
