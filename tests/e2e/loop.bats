#!/usr/bin/env bats
# Does what jobs measure come back in the plans of later ones, to whom it should, and is what the
# commands say of it true?

load cluster
load controller
load elastic

setup_file() {
    elastic_up fcfs # a policy that resizes nothing: the tests do it by hand
    start_horad
}
teardown_file() { cluster_down; }
setup() { cd "$work" || return 1; }
teardown() {
    local user
    release_brake
    for user in root "$tester" news mail; do
        scancel --user="$user"
    done
    wait_for nothing_left
}

# plan_step USER [MODEL]: what a step on two GPUs is predicted to take, in milliseconds.
plan_step() {
    as "$1" hora plan --model "${2:-resnet50}" --batch 64 --gpus 2-2 --json 2>/dev/null |
        jq '.step_seconds * 1000 | round'
}

plan_step_is() {
    local found
    found=$(plan_step "$1" "${3:-resnet50}")
    [ "$found" -ge $(($2 * 97 / 100)) ] && [ "$found" -le $(($2 * 103 / 100)) ]
}

# is_timed JOB GPUS: horad knows how long a step takes at that size.
is_timed() {
    hora status --json |
        jq -e ".jobs[] | select(.id == $1 and .gpus == $2) | .step_seconds" >/dev/null
}

# steady USER MILLISECONDS [SBATCH OPTION…]: a job of two GPUs whose steps take so long.
steady() {
    local user=$1 step=$2
    shift 2
    cat >"$work/steady" <<'END'
#!/usr/bin/python3
"""steady MILLISECONDS: sleeps two seconds, then takes steps of so long."""
import json, os, sys, time

time.sleep(2)
for step in range(1, 3000):
    time.sleep(int(sys.argv[1]) / 1000)
    with open(os.environ["HORA_PROGRESS"], "a") as progress:
        print(json.dumps({"step": step, "epoch": 1, "samples": step * 64,
                          "seconds": int(sys.argv[1]) / 1000}), file=progress)
END
    chmod 755 "$work/steady"
    cat >"$work/steady.sh" <<END
#!/bin/bash
srun -N1 -n1 "$work/steady" $step
END
    # A folder of his own: checkpoints go below it.
    mkdir -p "$work/$user"
    chown "$user" "$work/$user"
    as "$user" sbatch --parsable --output=%j.out --chdir="$work/$user" --hora-model=resnet50 --hora-batch=64 \
        --hora-samples=64 --hora-epochs=3000 --hora-gpus=2-2 "$@" "$work/steady.sh"
}

@test "a user's next plan predicts what that user's last job measured, and no other's does" {
    before=$(plan_step "$tester")
    slow=$((before * 3 / 2))
    job=$(steady "$tester" "$slow")
    wait_for_job "$job" RUNNING
    wait_for plan_step_is "$tester" "$slow"
    assert_equal "$(plan_step news)" "$before"
    # Of another network nothing was measured.
    other=$(plan_step "$tester" resnet18)
    assert_equal "$other" "$(plan_step news resnet18)"
    # A submission gets the same, and its decision says why.
    submission_predicts() { # once the controller has read the snapshot
        job=$(steady "$tester" "$slow" --begin=now+1hour 2>/dev/null)
        [ "$(hora explain "$job" --json | jq '.plan.step_seconds * 1000 | round')" = \
            "$(plan_step "$tester")" ] || { scancel "$job" && false; }
    }
    wait_for submission_predicts
    assert_contains "$(hora explain "$job")" "in runs of the same owner: computation"
    run as news hora plan --model resnet50 --batch 64 --gpus 2-2
    [[ $output != *measured* ]]
}

@test "what three users measured is shown to all, however wild one of them is" {
    before=$(plan_step root)
    steady news $((before * 12)) >/dev/null
    steady mail $((before * 5 / 4)) >/dev/null
    # As in the test before, whose measurement counts too.
    steady "$tester" $((before * 3 / 2)) >/dev/null
    wait_for -t 90 plan_step_is root $((before * 3 / 2))
    assert_contains "$(hora plan --model resnet50 --batch 64 --gpus 2-2 2>&1)" "by 3 users"
    [ "$(plan_step news)" -gt $((before * 4)) ]
}

# waiting USER MILLISECONDS: a job of two GPUs whose steps take so long, a quarter of that for rank 1,
# which is late; as the library for MPI programs records it.
waiting() {
    cat >"$work/waiting" <<'END'
#!/usr/bin/python3
"""waiting MILLISECONDS: writes the records of two ranks, then takes steps of so long."""
import json, os, sys, time

step = int(sys.argv[1]) / 1000
trace = os.path.join(os.environ["HORA_CHECKPOINT_DIR"], "trace", "0.0")
os.makedirs(trace)
for rank in range(2):
    lines = [{"version": 1, "host": "n1", "pid": rank + 1, "rank": rank, "device": None},
             {"comm": "world", "rank": rank, "ranks": 2, "nodes": 1}]
    for i in range(1, 21):
        begin = (i - 0.01 - (0.25 if rank == 0 else 0)) * step
        lines.append({"comm": "world", "op": "AllReduce", "seq": i - 1, "bytes": 4096,
                      "begin": begin, "end": i * step})
        if rank == 0:
            lines.append({"step": i, "at": i * step})
    with open(os.path.join(trace, f"{rank}.jsonl"), "w") as record:
        record.writelines(json.dumps(line) + "\n" for line in lines)
for i in range(1, 3000):
    time.sleep(step)
    with open(os.environ["HORA_PROGRESS"], "a") as progress:
        print(json.dumps({"step": i, "epoch": 1, "samples": i * 64, "seconds": step}),
              file=progress)
END
    chmod 755 "$work/waiting"
    mkdir -p "$work/$1"
    chown "$1" "$work/$1"
    as "$1" sbatch --parsable --output=%j.out --chdir="$work/$1" --hora-model=resnet18 \
        --hora-batch=64 --hora-samples=64 --hora-epochs=3000 --hora-gpus=2-2 \
        --wrap "srun -N1 -n1 $work/waiting $2"
}

@test "what steps wait for a late rank is in the history, and in the owner's next plan alone" {
    step=$(plan_step "$tester" resnet18)
    job=$(waiting "$tester" "$step")
    is_known() {
        [ "$(hora history "$job" --json | jq '.sizes[0] | 100 * .late / .measured | round')" = 25 ]
    }
    wait_for is_known
    assert_contains "$(hora explain "$job")" "of a step is waiting for it"
    plan_of() { as "$1" hora plan --model resnet18 --batch 64 --gpus 2-2 --json 2>/dev/null; }
    is_expected() {
        [ "$(plan_of "$tester" | jq '100 * .lateness.waiting / .step_seconds | round')" = 25 ]
    }
    wait_for is_expected
    assert_equal "$(plan_of news | jq .lateness)" null
    submission_expects() { # once the controller has read the snapshot
        next=$(waiting "$tester" "$step" 2>/dev/null)
        [ "$(hora explain "$next" --json | jq '.plan.lateness.waiting > 0')" = true ] ||
            { scancel "$next" && false; }
    }
    wait_for submission_expects
    assert_contains "$(hora explain "$next")" "by runs of the same owner"
}

@test "the time from the start to the first step is part of the next plan" {
    overhead_is_known() {
        local seconds
        seconds=$(as "$tester" hora plan --model resnet50 --batch 64 --samples 64 --epochs 10 \
            --gpus 2-2 --json | jq .breakdown.overhead)
        # The program sleeps two seconds, and the rest starts within a few more.
        jq -en --argjson s "$seconds" '$s >= 1.5 and $s < 30' >/dev/null
    }
    wait_for overhead_is_known
}

@test "each size has its prediction, and each rescale its cost and its gain" {
    brake
    job=$(train 1-4 2000)
    wait_for_job "$job" RUNNING
    wait_for is_timed "$job" 4
    resize "$job" 2
    wait_for is_timed "$job" 2
    resize "$job" 1
    is_written() { hora history "$job" --json | jq -e '.sizes | length == 3' >/dev/null; }
    wait_for is_written
    run hora history "$job" --json
    assert_equal "$(jq '[.sizes[] | select(.predicted == null)] | length' <<<"$output")" 0
    # Nearly ideal here, by the cost model: half the GPUs, twice the time.
    assert_equal "$(jq -c '[.sizes[] | .gpus]' <<<"$output")" "[1,2,4]"
    jq -e '.sizes | .[0].predicted > .[1].predicted and .[1].predicted > .[2].predicted' \
        <<<"$output" >/dev/null
    are_finished() {
        hora explain "$job" --json | jq -e '.rescales | length == 2 and
            all(.lost > 0 and .lost < 60 and .step_before > 0 and .step_after > 0)' >/dev/null
    }
    wait_for are_finished
    run hora explain "$job"
    assert_contains "$output" "at several sizes"
    assert_contains "$output" "4 -> 2 GPUs, done: manual resize"
    assert_contains "$output" "of training"
    assert_contains "$output" "times as fast"
    [[ $output != *null* ]]
    assert_contains "$(as_user hora explain "$job")" "measured    only its owner may read that"
    run hora status
    assert_contains "$output" "$(printf '%3d  root' "$job")"
    hora report --html "$work/report.html"
    grep -q "manual resize" "$work/report.html"
    scancel "$job"
    wait_for_job "$job" CANCELLED
}

@test "each resize of a job that waits is shown" {
    job=$(train 1-4 1 --begin=now+3600)
    local from=$(job_field "$job" NumTasks) to asked=()
    for to in 1 4 2 1; do
        [ "$to" = "$from" ] && continue
        resize "$job" "$to"
        asked+=("$from-$to")
        from=$to
    done
    [ "${#asked[@]}" -ge 3 ]
    run hora history "$job" --json
    assert_equal "$(jq -r '[.rescales | reverse | .[] | "\(.from)-\(.requested)"] | join(" ")' \
        <<<"$output")" "${asked[*]}"
    assert_equal "$(jq -c '[.rescales[] | .outcome] | unique' <<<"$output")" '["pending"]'
    assert_equal "$(hora explain "$job" | grep -c "GPUs\?, done while it waited: manual resize")" \
        "${#asked[@]}"
    scancel "$job"
}

@test "a daemon that starts anew knows what running jobs were timed at" {
    brake
    job=$(train 1-4 2000)
    wait_for_job "$job" RUNNING
    gpus=$(job_field "$job" NumTasks)
    wait_for is_timed "$job" "$gpus"
    resize "$job" $((gpus > 1 ? 1 : 2))
    is_written() { hora history "$job" --json | jq -e '.sizes | length == 2' >/dev/null; }
    wait_for is_written
    kill_horad
    start_horad
    wait_for grep -q "job $job: 2 starts were timed before" "$CLUSTER_DIR/log/horad.log"
    goes_on "$job"
    is_heard() { hora status --json | jq -e ".jobs[] | select(.id == $job) | .step_seconds" >/dev/null; }
    wait_for is_heard
}
