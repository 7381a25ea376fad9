#!/usr/bin/env bats
# What becomes of a job whose GPUs Hora was to choose and cannot? By cause, on a real Slurm.

load cluster
load controller

setup_file() {
    cluster_up
    make_partitions_by_mode
    cp "$HORA_CONF" "$work/hora.toml.good"
    settings_are
    take_snapshot
    cp "$CLUSTER_DIR/$snapshot" "$work/good.json"
}

teardown_file() {
    cluster_down
}

setup() {
    cd "$work" || return 1
    model=(--hora-model=resnet18 --hora-batch=32 --hora-samples=32000 --hora-epochs=1)
}

teardown() {
    scancel --user=root
    [ -e "$CLUSTER_DIR/$snapshot" ] || find_snapshot
}

snapshot=state/hora/snapshot.json

# settings_are [LINE…]: in the place of those that the cluster came with, further ones.
settings_are() {
    local before
    before=$(log_lines "configuration loaded")
    { printf '%s\n' "$@" && cat "$work/hora.toml.good"; } >"$HORA_CONF.new"
    mv "$HORA_CONF.new" "$HORA_CONF"
    wait_for logged_since "configuration loaded" "$before"
}

lose_snapshot() {
    local before
    before=$(log_lines "no job gets a plan")
    rm "$CLUSTER_DIR/$snapshot"
    wait_for logged_since "no job gets a plan" "$before"
}

find_snapshot() {
    local before
    before=$(log_lines "snapshot loaded")
    hora cluster snapshot --output "$CLUSTER_DIR/$snapshot"
    wait_for logged_since "snapshot loaded" "$before"
}

# submitted ARGUMENTS…: held; its id in $job, what the user is shown in $output.
submitted() {
    run sbatch -H -o /dev/null "$@" --wrap true
    [ "$status" -eq 0 ] || { echo "$output" && return 1; }
    job=$(grep -o 'batch job [0-9]*' <<<"$output" | grep -o '[0-9]*')
}

has_plans() {
    submitted "${model[@]}" --hora-gpus=2-2 && [[ $output != *"no plan"* ]]
}

# "1 1 gpu:1": nodes, tasks and GPUs of $job, however the release spells them.
size() {
    local gpus
    gpus=$(job_field "$job" TresPerNode)$(job_field "$job" TresPerTask)
    echo "$(job_field "$job" NumNodes | cut -d- -f1) $(job_field "$job" NumTasks) ${gpus#gres?}"
}

# is_told PART: one line of Hora's, with that in it.
is_told() {
    assert_equal "$(grep -c "hora:" <<<"$output")" 1
    assert_contains "$output" "hora: $1"
}

@test "no snapshot, a torn or a stale one: the fewest GPUs by plain Slurm" {
    for damage in missing torn stale; do
        before=$(log_lines "no job gets a plan")
        # In one go: an empty file would be logged as well.
        case $damage in
            missing) rm "$CLUSTER_DIR/$snapshot" ;;
            torn) head -c 200 good.json >bad.json ;;
            stale) sed 's/"written": *[0-9]*/"written":1000000/' good.json >bad.json ;;
        esac
        [ "$damage" = missing ] || mv bad.json "$CLUSTER_DIR/$snapshot"
        wait_for logged_since "no job gets a plan" "$before"
        submitted "${model[@]}" --hora-gpus=1-8
        is_told "no plan: there is no fresh snapshot of the cluster"
        assert_contains "$output" "1 GPU requested from Slurm without one"
        assert_equal "$damage $(size)" "$damage 1 1 gpu:1"
        run hora explain "$job"
        assert_contains "$output" "request     act: rewritten"
        assert_contains "$output" "there is no fresh snapshot"
        wait_for_job "$(submit --wrap true)" COMPLETED
        assert_equal "$damage $(log_lines "no job gets a plan")" "$damage $((before + 1))"
        rm -f "$CLUSTER_DIR/$snapshot"
        find_snapshot
    done
    submitted "${model[@]}" --hora-gpus=2-2
    assert_equal "$(size)" "1 2 gpu:2"
}

@test "such a job runs with its GPUs and a task for each" {
    lose_snapshot
    job=$(submit_script "${model[@]}" --hora-gpus=6-8 <<'END'
#!/bin/bash
echo "mode $HORA_MODE batch $HORA_BATCH tasks $SLURM_NTASKS"
srun sh -c 'echo "rank $RANK of $WORLD_SIZE sees $CUDA_VISIBLE_DEVICES"'
scontrol -o -d show job "$SLURM_JOB_ID" | grep -o ' GRES=gpu[^(]*' | sed 's/.*:/gpus /'
END
)
    wait_for_job "$job" COMPLETED
    assert_contains "$(job_output "$job")" "mode sync batch 32 tasks 6"
    assert_equal "$(job_output "$job" | grep -c '^rank . of 6 sees [0-9]')" 6
    assert_equal "$(job_output "$job" | awk '/^gpus/ { all += $2 } END { print all }')" 6
    run srun "${model[@]}" -n2 sh -c 'echo "sees $CUDA_VISIBLE_DEVICES"'
    assert_equal "$(grep -c '^sees [0-9]' <<<"$output")" 2
}

@test "nothing fits: what was asked for is asked from Slurm" {
    run sbatch "${model[@]}" --hora-gpus=900 -o /dev/null --wrap true
    assert_contains "$output" "hora: no plan: no plan fits"
    assert_contains "$output" "900 GPUs requested from Slurm without one"
    submitted "${model[@]}" -C '[titanx*1&tesla_k80*1]'
    is_told "no plan: constraint"
    assert_contains "$(size)" "gpu:1"
}

@test "a model without a batch, and GPUs without a model" {
    submitted --hora-model=resnet18
    is_told "no plan: --hora-batch"
    assert_equal "$(size)" "1 1 gpu:1"
    submitted --hora-gpus=2-4
    is_told "no plan: --hora-model"
    assert_equal "$(size | cut -d' ' -f2-)" "2 gpu:1"
    submitted --hora-requeue
    assert_equal "$(size)" "1 1 "
}

@test "a request that names its GPUs passes, with one line" {
    lose_snapshot
    for request in --gres=gpu:2 --gpus=2 "--gpus-per-task=1 -n2" --gpus-per-node=2; do
        read -ra words <<<"$request"
        submitted "${words[@]}"
        plain=$(size)
        submitted "${model[@]}" "${words[@]}"
        is_told "no plan; submitted unchanged: there is no fresh snapshot"
        assert_equal "$request: $(size)" "$request: $plain"
    done
    submitted "${model[@]}" --gres=gpu:0
    is_told "no plan; submitted unchanged: there is no fresh snapshot"
    assert_equal "$(size)" "1 1 gpu:0"
}

@test "modes that do not act change nothing" {
    lose_snapshot
    submitted -p tell "${model[@]}" --hora-gpus=2-4
    is_told "no plan; submitted unchanged, without GPUs: there is no fresh snapshot"
    assert_equal "$(size)" "1 1 "
    submitted -p watch "${model[@]}" --hora-gpus=2-4
    assert_equal "$(grep -c "hora:" <<<"$output")" 0
    assert_equal "$(size)" "1 1 "
}

@test "submit.without_plan: refuse says why, pass changes nothing" {
    lose_snapshot
    settings_are 'submit.without_plan = "refuse"'
    run sbatch -H "${model[@]}" --hora-gpus=2-4 -o /dev/null --wrap true
    assert_equal "$status" 1
    assert_contains "$output" "hora: no plan: there is no fresh snapshot"
    assert_contains "$output" "request GPUs yourself"
    submitted "${model[@]}" --gres=gpu:1
    settings_are 'submit.without_plan = "pass"'
    submitted "${model[@]}" --hora-gpus=2-4
    is_told "no plan; submitted unchanged, without GPUs: there is no fresh snapshot"
    assert_equal "$(size)" "1 1 "
    settings_are
}

@test "settings that break keep the last good ones; broken from the start: the fewest GPUs" {
    hora cluster snapshot --output "$CLUSTER_DIR/$snapshot"
    before=$(log_lines "loaded before stays")
    echo 'mode = "ect"' >"$HORA_CONF.new"
    mv "$HORA_CONF.new" "$HORA_CONF"
    wait_for logged_since "loaded before stays" "$before"
    submitted "${model[@]}" --hora-gpus=2-2
    assert_equal "$(size)" "1 2 gpu:2"
    restart_controller
    submitted "${model[@]}" --hora-gpus=2-4
    assert_contains "$output" "hora: no plan: the site's settings cannot be read"
    assert_contains "$(size)" "2 gpu:1"
    submitted "${model[@]}" --gres=gpu:1
    assert_contains "$output" "hora: no plan; submitted unchanged: the site's settings cannot be"
    submitted
    assert_equal "$(size)" "1 1 "
    settings_are
    wait_for has_plans
    submitted "${model[@]}" --hora-gpus=2-2
    assert_equal "$(size)" "1 2 gpu:2"
}
