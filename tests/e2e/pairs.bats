#!/usr/bin/env bats
# Do the GPUs of a node stay together, and does no job wait for that longer than it may?

load cluster
load controller

setup_file() {
    cluster_up --nodes "$BATS_TEST_DIRNAME/pairs.toml"
    # A partition of its own for each mode.
    scontrol create PartitionName=watch Nodes=p[1-8]
    scontrol create PartitionName=tell Nodes=p[1-8]
    printf '[partition.watch]\nmode = "observe"\n[partition.tell]\nmode = "advise"\n' >>"$HORA_CONF"
    wait_for logged_since "configuration loaded" 1
}

teardown_file() {
    cluster_down
}

setup() {
    cd "$work" || return 1
    model=(--hora-model=resnet18 --hora-batch=64)
}

teardown() {
    squeue -h -o %A | xargs -r scancel
    wait_for nothing_left
}

sleeper() {
    submit "$@" --wrap "exec sleep 1000"
}

# gpus_of JOB: on each of its nodes: "p1:0-1 p2:0-1"
gpus_of() {
    scontrol -d show job "$1" |
        sed -n 's/.* Nodes=\([^ ]*\) .*GRES=[^(]*(IDX:\([^)]*\)).*/\1:\2/p' | xargs
}

# hold NODE GPU…: jobs that hold exactly these GPUs.
hold() {
    local node=$1 count job held
    shift
    count=$(scontrol -o show node "$node" | sed -n 's/.*Gres=gpu:[a-z]*:\([0-9]*\).*/\1/p')
    local partition
    partition=$(sinfo -h -N -n "$node" -o %P | head -n 1)
    local -a jobs=()
    for ((; count > 0; count--)); do
        jobs+=("$(timeout 30 salloc --no-shell -p "${partition%\*}" -w "$node" -n1 --gres=gpu:1 2>&1 |
            sed -n 's/.*job allocation //p')")
    done
    for job in "${jobs[@]}"; do
        held=$(gpus_of "$job")
        [[ " $* " == *" ${held#*:} "* ]] || scancel "$job"
    done
    wait_for holds "$node" $#
}

holds() {
    [ "$(squeue -h -w "$1" -o %A | wc -l)" = "$2" ]
}

constraint_of() {
    job_field "$1" TresPerSocket
}

# A job that was planned when all was free, and can run only across switches now.
job_whose_pair_is_taken() {
    take_snapshot
    job=$(sleeper -H -w p1 "${model[@]}" --hora-gpus=2-2 "$@")
    assert_equal "$(constraint_of "$job")" $gres:2
    hold p1 0 2
    scontrol release "$job"
    wait_for waits_for_resources "$job"
}

# fragmentations PARTITION GPUS: HORA_FRAGMENTATIONS says of how many.
fragmentations() (
    set -o pipefail
    "$BATS_TEST_DIRNAME/fragmentations.py" "$1" "$2" --count "${HORA_FRAGMENTATIONS:-5}" \
        --seed "${HORA_SEED:-1}" | tee /dev/fd/3
)

@test "2 GPUs lie on one switch wherever such are free, on nodes of two pairs" {
    fragmentations pairs 2
}

@test "2 GPUs lie on one switch wherever such are free, on nodes of four pairs" {
    fragmentations quads 2
}

@test "4 GPUs lie on two whole switches wherever such are free" {
    fragmentations quads 4
}

# bats test_tags=releases
@test "on each of several nodes" {
    hold p1 0 2
    hold p3 1 3
    take_snapshot
    job=$(sleeper -N2 "${model[@]}" --hora-gpus=4-4)
    wait_for_job "$job" RUNNING
    assert_equal "$(gpus_of "$job")" "p[2,4]:0-1"
    assert_contains "$(hora explain "$job")" \
        "placement   guaranteed: each node's 2 GPUs on one switch"
}

# bats test_tags=releases
@test "a taken pair is waited for until hora relax, which explain shows" {
    job_whose_pair_is_taken
    run hora relax
    assert_equal "$status:$output" 0:
    run hora relax --dry-run "$job"
    assert_contains "$output" "job $job  locality constraint would be dropped"
    waits_for_resources "$job"
    run hora relax "$job"
    assert_contains "$output" "job $job  locality constraint dropped"
    wait_for_job "$job" RUNNING
    assert_equal "$(gpus_of "$job")" p1:1,3
    assert_contains "$(hora explain "$job")" "  locality  dropped at "
    run hora relax "$job"
    assert_equal "$status" 0
    assert_contains "$output" "is no longer pending"
}

@test "after its own wait a job is relaxed by itself, whichever user's it is" {
    job_whose_pair_is_taken --hora-wait=0:01
    relaxed() { hora relax --json | jq -e ".jobs[] | select(.job == \"$job\").result == \"relaxed\""; }
    wait_for relaxed
    wait_for_job "$job" RUNNING
    assert_contains "$(scontrol -o show job "$job")" "Socks/Node=0 "
    run hora explain "$job" --json
    assert_equal "$(jq '.placement.relaxed and .placement.relaxed_at > 0' <<<"$output")" true
}

@test "an owner relaxes its own job and no other's" {
    take_snapshot
    cp "$(command -v hora)" "$work/hora"
    job=$(as_user sbatch --parsable -o /dev/null -H -w p1 "${model[@]}" --hora-gpus=2-2 \
        --wrap "exec sleep 1000")
    other=$(sleeper -H -w p1 "${model[@]}" --hora-gpus=2-2)
    hold p1 0 2
    run as_user "$work/hora" relax "$other"
    assert_equal "$status" 1
    assert_contains "$output" "slurmctld does not change job $other"
    assert_equal "$(constraint_of "$other")" $gres:2
    run as_user "$work/hora" relax "$job"
    assert_equal "$status" 0
    assert_equal "$(constraint_of "$job")" ""
    assert_contains "$(hora explain "$job")" "locality  dropped by the job's owner"
}

@test "what is free only across switches is taken at once, unless the owner would wait" {
    hold p1 0 2
    take_snapshot
    job=$(sleeper -w p1 "${model[@]}" --hora-gpus=2-2)
    wait_for_job "$job" RUNNING
    assert_equal "$(gpus_of "$job")" p1:1,3
    assert_contains "$(hora explain "$job")" "placement   preferred only: no such GPUs are free"
    scancel "$job"
    wait_for holds p1 2
    take_snapshot
    run sbatch -o /dev/null -w p1 "${model[@]}" --hora-gpus=2-2 --hora-wait=1:00:00 \
        --wrap "exec sleep 1000"
    assert_contains "$output" "its 2 GPUs on one switch: waits for that, 1 h at most"
    job=${output##* }
    wait_for waits_for_resources "$job"
    # The holders end, and the pair is whole again.
    squeue -h -w p1 -t R -o %A | xargs scancel
    wait_for_job "$job" RUNNING
    assert_equal "$(gpus_of "$job")" p1:0-1
}

@test "--hora-wait=0 asks for nothing, and the user's own sockets stay" {
    take_snapshot
    job=$(sleeper -H "${model[@]}" --hora-gpus=2-2 --hora-wait=0)
    assert_equal "$(constraint_of "$job")" ""
    job=$(sleeper -H "${model[@]}" --gres=gpu:4 --gpus-per-socket=2 --sockets-per-node=2)
    assert_equal "$(constraint_of "$job")" $gres:2
    run hora relax "$job"
    assert_equal "$status" 0
    assert_contains "$output" "has no locality constraint of Hora's"
    assert_equal "$(constraint_of "$job")" $gres:2
    job=$(sleeper -H "${model[@]}" --hora-gpus=2-2 --cores-per-socket=3)
    assert_equal "$(constraint_of "$job")" ""
}

@test "GPUs that the user counted himself are kept together too" {
    take_snapshot
    job=$(sleeper -H "${model[@]}" --gres=gpu:2)
    assert_equal "$(constraint_of "$job") $(job_field "$job" TresPerNode)" "$gres:2 $gres:2"
    job=$(sleeper -H "${model[@]}" --gpus-per-node=titanx:2)
    assert_equal "$(constraint_of "$job")" $gres:titanx:2
}

@test "an array is relaxed as a whole" {
    take_snapshot
    job=$(sleeper -w p1 --array=1-3 "${model[@]}" --hora-gpus=2-2)
    wait_for_job "${job}_2" RUNNING
    run hora relax "$job"
    assert_contains "$output" "locality constraint dropped"
    scancel "${job}_1" "${job}_2"
    wait_for_job "${job}_3" RUNNING
    assert_equal "$(constraint_of "${job}_3")" ""
    assert_contains "$(hora explain "${job}_3")" "  locality  dropped at "
}

@test "srun and steps of a job that is kept together" {
    take_snapshot
    run srun -N1 -n2 "${model[@]}" sh -c 'echo "gpus $SLURM_STEP_GPUS"'
    assert_equal "$(grep -c '^gpus 0,1$' <<<"$output")" 2
    job=$(submit "${model[@]}" --hora-gpus=2-2 --wrap 'srun sh -c "echo gpus \$SLURM_STEP_GPUS"')
    wait_for_job "$job" COMPLETED
    assert_equal "$(grep -c '^gpus 0,1$' "$work/$job.out")" 2
}

@test "observe and advise change nothing" {
    take_snapshot
    job=$(sleeper -H -p watch "${model[@]}" --hora-gpus=2-2)
    assert_equal "$(constraint_of "$job")$(job_field "$job" TresPerNode)" ""
    run sbatch -H -p tell -o /dev/null "${model[@]}" --hora-gpus=2-2 --wrap true
    assert_contains "$output" "--gpus-per-socket=2 --sockets-per-node=1 --cores-per-socket=4"
    job=$(grep -o 'job [0-9]*' <<<"$output" | grep -o '[0-9]*')
    assert_equal "$(constraint_of "$job")" ""
    run hora relax "$job"
    assert_contains "$output" "has no locality constraint of Hora's"
}

@test "wrong calls of hora relax" {
    run hora relax twelve
    assert_equal "$status" 2
    assert_contains "$output" '"twelve" is no job id'
    run hora relax 999999
    assert_equal "$status" 1
}

@test "hora relax finds a plan by its key and leaves the new one with horad" {
    # horad makes it; here none runs, and what slurmctld leaves there stays.
    mkdir "$CLUSTER_DIR/state/hora/plans"
    job_whose_pair_is_taken
    word=$(job_field "$job" AdminComment)
    assert_contains "$word" ",act,2xtitanx,1n,"
    # Where the plan is not at hand nothing is guessed.
    HORA_CONF_HORAD_STATE=/nowhere run hora relax "$job"
    assert_equal "$status" 1
    assert_contains "$output" "its plan is in horad's database on the controller's host"
    waits_for_resources "$job"
    run hora relax "$job"
    assert_contains "$output" "job $job  locality constraint dropped"
    wait_for_job "$job" RUNNING
    assert_contains "$(job_field "$job" AdminComment)" ",act,2xtitanx,1n,"
    [ "$(job_field "$job" AdminComment)" != "$word" ]
    assert_contains "$(hora explain "$job")" "  locality  dropped at "
}
