#!/usr/bin/env bats
# Does a job that waits by a bad plan get a new one, and no other's request a change?

load cluster
load controller
load elastic

setup_file() {
    elastic_up fcfs --nodes "$root/tests/e2e/replan.toml"
    printf '\n[replan]\npause = "2 s"\n' >>"$HORA_CONF"
    start_horad
}
teardown_file() { cluster_down; }
setup() { cd "$work" || return 1; }
teardown() {
    [ -z "${BATS_TEST_COMPLETED:-}" ] || return 0
    scontrol update "NodeName=n[1-2]" State=RESUME || true # of those that are down or drained
    scontrol update NodeName=n3 AvailableFeatures=k80 ActiveFeatures=k80
    clear_after_failure
}

# occupy NODES COUNT: all their GPUs, for an hour at most.
occupy() {
    local job
    job=$(submit --hora-off -w "$1" -N "$2" --gres=gpu:2 -t 60 -o /dev/null --wrap "sleep 3600")
    wait_for_job "$job" RUNNING
    echo "$job"
}

# submit_for_fast [SBATCH OPTION…]: a job of a user's that waits for a fast GPU; its number is in $job. What
# slurmctld knows of the cluster is a moment old, so it may take two.
submit_for_fast() {
    wait_for is_submitted_for_fast "$@"
}
is_submitted_for_fast() {
    job=$(as_user sbatch --parsable --hora-model=resnet50 --hora-batch=64 --hora-samples=6400 \
        --hora-epochs=10 --hora-gpus=1 -o "$work/%j.out" "$@" --wrap "sleep 100")
    has_features "$job" titanx || { scancel "$job" && false; }
}

has_features() { [ "$(job_field "$1" Features)" = "$2" ]; }

# explains TEXT: of $job.
explains() { hora explain "$job" | grep -qF -e "$1"; }

log_says() { grep -q -e "$1" "$CLUSTER_DIR/log/horad.log"; }

# bats test_tags=releases
@test "GPUs of another type become free: the job gets them, and says why" {
    fast=$(occupy "n[1-2]" 2)
    slow=$(occupy n3 1)
    submit_for_fast
    before=$(job_field "$job" Priority)
    scancel "$slow"
    wait_for_job "$job" RUNNING
    assert_equal "$(job_field "$job" NodeList)" n3
    assert_equal "$(job_field "$job" Priority)" "$before"
    explained=$(hora explain "$job")
    assert_contains "$explained" "1 x k80 on n3"
    assert_contains "$explained" "planned     anew at"
    assert_contains "$explained" "before    1 x titanx on n1"
    assert_contains "$explained" "features: -- -> k80"
    wait_for log_says "job $job is planned anew, 1 x k80 on n3 instead of 1 x titanx on n1"
    scancel "$job" "$fast"
    wait_for nothing_left
}

@test "nodes are drained: the job waits for others, and gets them" {
    fast=$(occupy "n[1-2]" 2)
    slow=$(occupy n3 1)
    submit_for_fast
    scontrol update NodeName="n[1-2]" State=DRAIN Reason=test
    # What is left is all of one type. The record of the new plan follows the request.
    wait_for explains "no usable nodes can give what it waits for"
    assert_equal "$(job_field "$job" Features)" "(null)"
    assert_equal "$(job_field "$job" JobState)" PENDING
    scancel "$slow"
    wait_for_job "$job" RUNNING
    assert_equal "$(job_field "$job" NodeList)" n3
    scontrol update NodeName="n[1-2]" State=RESUME
    scancel "$job" "$fast"
    wait_for nothing_left
}

@test "a plan that has become impossible is taken back, also by a horad that was killed" {
    fast=$(occupy "n[1-2]" 2)
    slow=$(occupy n3 1)
    submit_for_fast
    before=$(job_field "$job" TresPerNode)
    word=$(job_field "$job" AdminComment)
    priority=$(job_field "$job" Priority)
    # It needs all nodes, and is waited for: nothing that lasts for longer starts on n3 meanwhile.
    first=$(submit --hora-off --nice=-1000 -N 3 --gres=gpu:1 -t 60 -o /dev/null --wrap true)
    scancel "$slow"
    wait_for has_features "$job" k80
    kill_horad
    assert_equal "$(replaced_plans "$job")" 1
    # The new plan has a short word of its own, and is found though the daemon is not there.
    new_word=$(job_field "$job" AdminComment)
    assert_contains "$new_word" ",act,1xk80,1n,"
    [ "${new_word%%,*}" != "${word%%,*}" ] && [ ${#new_word} -le 120 ]
    assert_contains "$(hora explain "$job")" "1 x k80 on n3"
    scontrol update NodeName=n3 AvailableFeatures=other ActiveFeatures=other
    scancel "$first"
    wait_for is_impossible "$job"
    start_horad
    wait_for log_says "job $job has its old plan back"
    assert_equal "$(job_field "$job" Features)" titanx
    assert_equal "$(job_field "$job" TresPerNode)" "$before"
    assert_equal "$(job_field "$job" AdminComment)" "$word"
    assert_contains "$(hora explain "$job")" "1 x titanx on n1"
    assert_equal "$(job_field "$job" Priority)" "$priority"
    assert_equal "$(hora explain "$job" --json | jq .replanned)" null
    scontrol update NodeName=n3 AvailableFeatures=k80 ActiveFeatures=k80
    scancel "$fast"
    wait_for_job "$job" RUNNING
    wait_for knows_no_old_plan "$job"
    scancel "$job"
    wait_for nothing_left
}

is_impossible() { [ "$(job_field "$1" Reason)" = BadConstraints ]; }
# replaced_plans JOB: how many of its old plans horad has kept.
replaced_plans() {
    entries "pending changes" | jq --argjson job "$1" 'map(select(.job == $job)) | length'
}
knows_no_old_plan() { [ "$(replaced_plans "$1")" = 0 ]; }

@test "what its owner changed, holds, or gave a shape of his own stays as it is" {
    fast=$(occupy "n[1-2]" 2)
    slow=$(occupy n3 1)
    submit_for_fast
    changed=$job
    submit_for_fast
    held=$job
    submit_for_fast --dependency=afterok:"$fast"
    depends=$job
    submit_for_fast
    control=$job
    as_user scontrol update JobId="$changed" TresPerNode=$gres:2
    as_user scontrol hold "$held"
    scancel "$slow"
    wait_for_job "$control" RUNNING
    wait_for log_says "job $changed keeps its plan: its tres_per_node is not as Hora left it"
    for job in "$changed" "$held" "$depends"; do
        assert_equal "$(job_field "$job" Features)" titanx
        assert_equal "$(job_field "$job" JobState)" PENDING
    done
    scancel "$changed" "$held" "$depends" "$control" "$fast"
    wait_for nothing_left
}

@test "in observe it is only said" {
    fast=$(occupy "n[1-2]" 2)
    slow=$(occupy n3 1)
    submit_for_fast
    kill_horad
    HORA_CONF_MODE=observe start_horad
    scancel "$slow"
    wait_for log_says "job $job would be planned anew, 1 x k80 on n3 .*nothing is done in mode \"observe\""
    assert_equal "$(job_field "$job" Features)" titanx
    assert_equal "$(hora explain "$job" --json | jq .replanned)" null
    kill_horad
    start_horad
    wait_for_job "$job" RUNNING
    scancel "$job" "$fast"
    wait_for nothing_left
}
