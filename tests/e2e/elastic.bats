#!/usr/bin/env bats
# Do jobs grow and shrink on a real Slurm, losing nothing?
#
# HORA_CYCLES: how many random resizes (20). HORA_SEED: of their order.

load cluster
load controller
load elastic

setup_file() {
    elastic_up fcfs --accounting # a policy that resizes nothing: the tests do it by hand
    start_horad
}
teardown_file() { cluster_down; }
setup() {
    cd "$work" || return 1
    brake
}
teardown() { clear_after_failure; }

# bats test_tags=releases
@test "a running job grows over two nodes, and shrinks to one GPU" {
    job=$(train 1-8 150 --cpus-per-task=1) # of which newer releases make a TRES of the task
    wait_for_job "$job" RUNNING
    goes_on "$job"
    before=$(job_field "$job" Priority)
    for gpus in 1 8 3; do
        resize "$job" "$gpus"
        wait_for runs_on "$job" "$gpus"
        goes_on "$job"
        assert_equal "$(job_field "$job" Priority)" "$before"
    done
    release_brake
    wait_for_job "$job" COMPLETED 300
    assert_trained_once "$job" 150
    assert_contains "$(job_output "$job")" "tasks 8 nodes 2"
    assert_nothing_left
}

# By slurmctld's log: how many times the nodes of jobs were reserved.
reservations_made() {
    grep -c 'Created reservation=hora-restarts ' "$CLUSTER_DIR/log/slurmctld.log" || true
}

# bats test_tags=releases
@test "the GPUs of a job that restarts go to no other, and what it leaves does" {
    scontrol update NodeName=n[2-4] State=DRAIN Reason="a test"
    job=$(train 1-4 300 -N1)
    wait_for_job "$job" RUNNING
    [ "$(job_field "$job" NumTasks)" = 4 ] || resize "$job" 4
    wait_for runs_on "$job" 4
    goes_on "$job"
    rigid=$(submit --hora-off -N1 --gres=gpu:4 --wrap "sleep 1000")
    wait_for waits_for_resources "$rigid"
    before=$(reservations_made)
    for gpus in 2 4 3; do
        resize "$job" "$gpus"
        wait_for runs_on "$job" "$gpus"
        job_is "$rigid" PENDING
        wait_for is_not_reserved
    done
    [ "$(reservations_made)" -gt "$before" ]
    scancel "$rigid"
    small=$(submit --hora-off --gres=gpu:1 --wrap "sleep 1000")
    wait_for_job "$small" RUNNING
    scancel "$small"
    goes_on "$job"
    scancel "$job"
    assert_equal "$(progress_of "$job" | jq .step | sort -n | uniq -c | awk '$1 != 1')" ""
    open_nodes
    assert_nothing_left
    wait_for plans_with_all_free
}

@test "without elastic.reserve no node is reserved" {
    sed -i '/^\[elastic\]/a reserve = false' "$HORA_CONF"
    kill_horad
    start_horad
    job=$(train 1-4 300)
    wait_for_job "$job" RUNNING
    gpus=$(other_size)
    before=$(reservations_made)
    resize "$job" "$gpus"
    assert_equal "$(reservations_made)" "$before"
    wait_for runs_on "$job" "$gpus"
    scancel "$job"
    sed -i '/^reserve = false/d' "$HORA_CONF"
    kill_horad
    start_horad
    assert_nothing_left
}

@test "a job that waits is resized by one update, without a restart" {
    job=$(train 1-4 2 --begin=now+1hour)
    gpus=$(other_size)
    hora resize "$job" "$gpus"
    wait_for is_settled "$job"
    assert_equal "$(job_field "$job" NumTasks)" "$gpus"
    assert_contains "$(job_field "$job" TresPerNode)" "gpu:$gpus"
    scontrol update JobId="$job" StartTime=now
    wait_for_job "$job" COMPLETED
    assert_equal "$(job_field "$job" Restarts)" 0
    assert_trained_once "$job" 2
}

@test "what cannot be resized is refused, with the reason" {
    rigid=$(submit --hora-off --wrap "sleep 1000" --gres=gpu:1)
    run hora resize "$rigid" 2
    assert_equal "$status" 1
    assert_contains "$output" "was not submitted with --hora-elastic"
    job=$(train 1-4 150)
    wait_for_job "$job" RUNNING
    run hora resize "$job" 9
    assert_contains "$output" "may have 1 to 4 GPUs"
    run as_user hora resize "$job" 1
    assert_equal "$status" 1
    assert_contains "$output" "only root and operators"
    run hora resize 999999 1
    assert_contains "$output" "there is no job"
    for fixed in --gpus=2 -n2; do
        other=$(train 1-4 150 "$fixed")
        wait_for_job "$other" RUNNING
        run hora resize "$other" 3
        assert_equal "$status" 1
        assert_contains "$output" "job $other cannot be resized: its owner fixed"
        scancel "$other"
    done
    kill_horad
    run hora resize "$job" 1
    assert_equal "$status" 1
    start_horad
    scancel "$rigid" "$job"
    wait_for nothing_left
}

# is_known_limit SECONDS: of the partition main, to horad.
is_known_limit() {
    jq -e --argjson limit "$1" '.partitions[] | select(.name == "main") | .max_seconds == $limit' \
        "$CLUSTER_DIR/state/hora/snapshot.json" >/dev/null
}

@test "only by force a job is shrunk so far that its time limit would end it" {
    # By its own word forty minutes on the two GPUs of its request, and eighty on one, where its limit
    # would be 84, but is 50.
    scontrol update PartitionName=main MaxTime=50
    wait_for is_known_limit 3000
    job=$(pretend 1-2 600 -N1 --time=42)
    wait_for_job "$job" RUNNING
    has_done() {
        hora status --json | jq -e --argjson least "$2" \
            ".jobs[] | select(.id == $1) | .step >= \$least and .step_seconds != null" >/dev/null
    }
    wait_for has_done "$job" 20
    [ "$(job_field "$job" NumTasks)" = 2 ] || resize "$job" 2
    wait_for runs_on "$job" 2
    wait_for has_done "$job" 60
    run hora resize "$job" 1
    assert_equal "$status" 1
    assert_contains "$output" "fewer than 2 GPUs leave job $job too little of its time limit"
    hora resize --force "$job" 1
    wait_for -t 90 is_settled "$job"
    wait_for runs_on "$job" 1
    scancel "$job"
    scontrol update PartitionName=main MaxTime=UNLIMITED
    wait_for is_known_limit null
    wait_for nothing_left
}

# bats test_tags=releases
@test "a time limit means so much of the own request: on fewer GPUs it is longer, as far as it may be" {
    job=$(pretend 1-2 3000 -N1 --time=10)
    wait_for_job "$job" RUNNING
    wait_for has_reported "$job"
    requested=$(job_field "$job" NumTasks)
    [ "$requested" = 2 ] || resize "$job" 2
    hora resize --force "$job" 1
    wait_for -t 90 is_settled "$job"
    lasts "$job" $((8 * requested)) $((10 * requested))
    assert_contains "$(scontrol show job "$job")" "hora-limit="
    wait_for has_reported "$job"
    resize "$job" 2
    lasts "$job" 7 10
    # A partition that allows no more: the rest is kept for the next start.
    scontrol update PartitionName=main MaxTime=11
    wait_for is_known_limit 660
    wait_for has_reported "$job"
    hora resize --force "$job" 1
    wait_for -t 90 is_settled "$job"
    lasts "$job" 7 11
    wait_for has_reported "$job"
    resize "$job" 2
    lasts "$job" 7 10
    # What its owner sets stays.
    wait_for has_reported "$job"
    scontrol update JobId="$job" TimeLimit=9
    hora resize --force "$job" 1
    wait_for -t 90 is_settled "$job"
    lasts "$job" 8 11
    scontrol update PartitionName=main MaxTime=UNLIMITED
    wait_for is_known_limit null
    scancel "$job"
    wait_for nothing_left
}

@test "a waiting job that gets another size has its time limit by it" {
    job=$(pretend 1-2 3000 -N1 --time=10 --begin=now+1hour)
    before=$(job_field "$job" NumTasks)
    requested=$before
    hora resize "$job" "$((3 - before))"
    wait_for is_settled "$job"
    assert_equal "$(job_field "$job" NumTasks)" "$((3 - before))"
    assert_equal "$(minutes_of "$job")" $((10 * $(stretch "$job" "$requested")))
    resize "$job" "$before"
    assert_equal "$(minutes_of "$job")" 10
    scancel "$job"
    wait_for nothing_left
}

@test "random cycles against a queue of a hundred jobs lose no step" {
    cycles=${HORA_CYCLES:-20}
    RANDOM=${HORA_SEED:-1}
    epochs=$((cycles * 8))
    jobs=()
    for range in 1-8 1-4 1-4; do
        jobs+=("$(train "$range" "$epochs" -N1)")
    done
    for job in "${jobs[@]}"; do
        wait_for_job "$job" RUNNING
    done
    for ((i = 0; i < 100; i++)); do
        submit --hora-off -N4 --gres=gpu:4 --output=/dev/null --wrap true >/dev/null
    done
    done_cycles=0
    for ((i = 0; i < cycles * 3 && done_cycles < cycles; i++)); do
        job=${jobs[RANDOM % 3]}
        gpus=$((RANDOM % 4 + 1))
        goes_on "$job"
        # A small job that takes whatever is free for a moment.
        submit --hora-off --gres=gpu:1 --output=/dev/null --wrap "sleep 0.5" >/dev/null
        hora resize "$job" "$gpus" 2>refusal || continue
        wait_for -t 90 is_settled "$job"
        done_cycles=$((done_cycles + 1))
    done
    assert_equal "$done_cycles" "$cycles"
    release_brake
    for job in "${jobs[@]}"; do
        wait_for_job "$job" COMPLETED $((240 + 6 * cycles))
        assert_trained_once "$job" "$epochs"
    done
    # The number of GPUs changes nothing in what is learnt.
    assert_equal "$(for job in "${jobs[@]}"; do final "$job" | cut -c1-14; done | sort -u | wc -l)" 1
    scancel --user=root --state=PENDING
    wait_for nothing_left
    assert_nothing_left
}

@test "idle GPUs go to a running job, which makes room for a new one and grows again" {
    use_policy hora
    first=$(pretend 1-16 100000)
    wait_for -t 90 has_gpus "$first" 9 16
    second=$(pretend 1-16 100000)
    wait_for -t 60 has_gpus "$second" 1 15
    wait_for -t 60 has_gpus "$first" 1 15
    scancel "$second"
    wait_for -t 90 has_gpus "$first" 9 16
    scancel "$first"
    wait_for nothing_left
    assert_nothing_left
}

# has_step JOB STEPS: horad has heard of so many.
has_step() {
    hora status --json | jq -e --argjson job "$1" --argjson steps "$2" \
        '.jobs[] | select(.id == $job) | .step >= $steps' >/dev/null
}

@test "a job of powers of two never has three GPUs" {
    use_policy hora
    filler=$(submit --hora-off -N3 --gres=gpu:4 --output=/dev/null --wrap "sleep 1000")
    one=$(submit --hora-off --gres=gpu:1 --output=/dev/null --wrap "sleep 1000")
    wait_for_job "$filler" RUNNING
    wait_for_job "$one" RUNNING
    wait_for idle_gpus 3
    job=$(pretend 1-4 100000 --hora-sizes=powers)
    wait_for_job "$job" RUNNING
    wait_for -t 60 has_step "$job" 20
    assert_equal "$(job_field "$job" NumTasks)" 2
    run hora resize "$job" 3
    assert_equal "$status" 1
    assert_contains "$output" "may not have 3 GPUs (--hora-sizes=powers)"
    assert_contains "$(hora status)" "1-4 powers"
    scancel "$one"
    wait_for -t 90 has_gpus "$job" 4 4
    explained=$(hora explain "$job")
    assert_contains "$explained" "--hora-sizes=powers"
    assert_equal "$(grep -c "3 GPUs" <<<"$explained")" 0
    scancel "$filler" "$job"
    wait_for nothing_left
}

waits_long_enough() { # JOB: for a policy to look at it
    [ $(($(date +%s) - $(date -d "$(job_field "$1" EligibleTime)" +%s))) -ge 6 ]
}

@test "a job keeps what it was submitted with while others wait, unless it yields" {
    use_policy hora
    filler=$(submit --hora-off -N3 --gres=gpu:4 --output=/dev/null --wrap "sleep 1000")
    wait_for_job "$filler" RUNNING
    for option in "" --hora-yield; do
        job=$(pretend 1-4 100000 $option)
        # With one left to it, three could be had.
        [ "$(job_field "$job" NumTasks)" -gt 1 ]
        wait_for -t 90 has_gpus "$job" 4 4
        wait_for has_reported "$job"
        waits=$(submit --hora-off --gres=gpu:3 --output=/dev/null --wrap "sleep 1000")
        if [ -n "$option" ]; then
            wait_for -t 60 job_is "$waits" RUNNING
            wait_for -t 60 has_gpus "$job" 1 1
        else
            wait_for waits_long_enough "$waits"
            job_is "$waits" PENDING
            has_gpus "$job" 4 4
        fi
        scancel "$waits" "$job"
        wait_for_job "$job" CANCELLED
    done
    scancel "$filler"
    wait_for nothing_left
}

# runs_on_nodes JOB NODES
runs_on_nodes() {
    job_is "$1" RUNNING && [ "$(job_field "$1" NumNodes)" = "$2" ]
}

# The plugin has a snapshot in which no node has two idle GPUs.
plans_two_nodes() {
    sbatch --test-only --hora-model=resnet50 --hora-batch=8 --hora-gpus=2-2 --wrap true 2>&1 |
        grep -q "2 x titanx on 2 nodes"
}

# bats test_tags=releases
@test "a job that started on scattered GPUs is moved to one node once that is idle" {
    use_policy hora
    filler=$(submit --hora-off -N2 -w n1,n2 --gres=gpu:4 --output=/dev/null --wrap "sleep 1000")
    wait_for_job "$filler" RUNNING
    for node in n3 n4; do
        others+=("$(submit --hora-off -w "$node" --gres=gpu:3 --output=/dev/null --wrap "sleep 1000")")
        wait_for_job "${others[-1]}" RUNNING
    done
    wait_for idle_gpus 2
    wait_for plans_two_nodes
    # As planned: half a step of so small a batch goes over the network of 10 Gbit/s.
    step_seconds='$([ "$SLURM_NNODES" = 1 ] && echo 0.05 || echo 0.1)'
    job=$(pretend 2-2 100000 --hora-batch=8)
    wait_for -t 60 runs_on_nodes "$job" 2
    wait_for has_reported "$job"
    scancel "${others[0]}"
    wait_for -t 90 runs_on_nodes "$job" 1
    wait_for is_settled "$job"
    assert_equal "$(job_field "$job" NumTasks)" 2
    assert_equal "$(job_field "$job" Restarts)" 1
    wait_for has_reported "$job"
    explained=$(hora explain "$job")
    assert_contains "$explained" "on 1 node in place of 2"
    scancel "$job" "$filler" "${others[1]}"
    wait_for nothing_left
    assert_nothing_left
}

# has_batch JOB BATCH: of the start that runs.
has_batch() {
    job_is "$1" RUNNING && scontrol show job "$1" | grep -q "AdminComment=.*hora-batch=$2\b"
}

# bats test_tags=releases
@test "a running job gets the batch that brings it on fastest, and keeps it" {
    use_policy hora
    # A step of 1024 samples takes no longer than one of 64.
    step_seconds=0.05
    job=$(pretend 1-1 1000000 --hora-batch=64-1024)
    wait_for_job "$job" RUNNING
    wait_for has_reported "$job"
    assert_equal "$(progress_of "$job" | jq .noise_scale | sort -u)" 2000
    wait_for -t 120 has_batch "$job" 1024
    wait_for is_settled "$job"
    restarts=$(job_field "$job" Restarts)
    [ "$restarts" -le 3 ]
    assert_contains "$(hora explain "$job")" "with a batch of "
    goes_on "$job"
    assert_equal "$(job_field "$job" Restarts)" "$restarts"
    assert_equal "$(progress_of "$job" | jq .step | uniq -d)" ""
    scancel "$job"
    wait_for nothing_left
    assert_nothing_left
}

# bats test_tags=releases
@test "a job that its owner lets be suspended makes room for a shorter one, and comes back" {
    kill_horad
    cp "$HORA_CONF" "$work/hora.toml.before"
    sed -i '/^\[elastic\]/a suspend_after = "1 s"\nrescale = "1 s"' "$HORA_CONF"
    use_policy hora
    filler=$(submit --hora-off -N3 --gres=gpu:4 --output=/dev/null --wrap "sleep 1000")
    wait_for_job "$filler" RUNNING
    others=("$(submit --hora-off --gres=gpu:3 --output=/dev/null --wrap "sleep 1000")")
    wait_for_job "${others[0]}" RUNNING
    wait_for idle_gpus 1
    step_seconds=1
    long=$(pretend 1-1 100000 --hora-suspend)
    wait_for_job "$long" RUNNING
    wait_for has_reported "$long"
    short=$(pretend 1-1 20 --hora-suspend)
    wait_for_job "$short" COMPLETED 120
    job_is "$long" PENDING
    assert_equal "$(job_field "$long" Restarts)" 1
    # Two minutes later by itself.
    scontrol update JobId="$long" StartTime=now
    wait_for_job "$long" RUNNING
    wait_for is_settled "$long"
    assert_contains "$(hora explain "$long")" "suspended: for job $short, which is shorter"
    assert_nothing_left
    goes_on "$long"
    assert_equal "$(progress_of "$long" | jq .step | uniq -d)" ""
    scancel "$long" "$filler" "${others[0]}"
    wait_for nothing_left
    kill_horad
    cp "$work/hora.toml.before" "$HORA_CONF"
    start_horad
}

@test "a size that was asked for manually is waited for" {
    use_policy hora
    filler=$(submit --hora-off -N3 --gres=gpu:4 --output=/dev/null --wrap "sleep 1000")
    wait_for_job "$filler" RUNNING
    for gpus in 1 1 2; do
        others+=("$(submit --hora-off --gres=gpu:$gpus --output=/dev/null --wrap "sleep 1000")")
        wait_for_job "${others[-1]}" RUNNING
    done
    wait_for idle_gpus 0
    job=$(pretend 2-4 100000)
    size=3
    [ "$(job_field "$job" NumTasks)" != 3 ] || size=4
    hora resize "$job" "$size"
    wait_for is_settled "$job"
    kill_horad
    start_horad
    wait_for waits_long_enough "$job"
    # Two would do for the policy.
    scancel "${others[2]}"
    wait_for idle_gpus 2
    scancel "${others[1]}"
    [ "$size" = 3 ] || scancel "${others[0]}"
    wait_for_job "$job" RUNNING
    assert_equal "$(job_field "$job" NumTasks)" "$size"
    scancel "$filler" "${others[0]}" "$job"
    wait_for nothing_left
}

@test "sizes that cannot be meant are refused by sbatch, in words" {
    model=(--hora-model=resnet50 --hora-batch=64 -o /dev/null --wrap true)
    run sbatch "${model[@]}" --hora-sizes=1,zwei,4
    assert_equal "$status" 255
    assert_contains "$output" '--hora-sizes: "zwei" is not a whole number'
    run sbatch "${model[@]}" --hora-gpus=5-7 --hora-sizes=powers
    assert_equal "$status" 1
    assert_contains "$output" "--hora-sizes=powers allows no number of GPUs from 5 to 7"
    run sbatch -H "${model[@]}" --hora-gpus=2-7 --hora-sizes=nodes
    assert_equal "$status" 0
    assert_contains "$output" "4 x titanx on 1 node"
    scancel "${output##* }"
}
