#!/usr/bin/env bats
# What becomes of a job with --hora-... options on a real Slurm: planned, shown, rewritten, refused?

load cluster
load controller

setup_file() {
    cluster_up
    hora cluster snapshot --output "$CLUSTER_DIR/state/hora/snapshot.json"
    make_partitions_by_mode
    fresh_snapshot
    settings_are_read
}

teardown_file() {
    cluster_down
}

setup() {
    cd "$work" || return 1
    model=(--hora-model=resnet18 --hora-batch=32 --hora-samples=32000 --hora-epochs=1)
}

snapshot=state/hora/snapshot.json

settings_are_read() {
    local before
    before=$(log_lines "configuration loaded")
    touch "$HORA_CONF"
    wait_for logged_since "configuration loaded" "$before"
}

fresh_snapshot() {
    hora cluster snapshot --output "$CLUSTER_DIR/$snapshot"
}

drop_all() {
    scancel --state=PENDING --user=root
}

# bats test_tags=releases
@test "act rewrites nodes, tasks, CPUs, GPUs, constraint and environment" {
    job=$(submit_script "${model[@]}" --hora-gpus=8-8 <<'END'
#!/bin/bash
echo "mode $HORA_MODE batch $HORA_BATCH tasks $SLURM_NTASKS cpus $SRUN_CPUS_PER_TASK"
srun sh -c 'echo "rank $SLURM_PROCID/$SLURM_NTASKS"'
END
)
    wait_for_job "$job" COMPLETED
    assert_equal "$(job_field "$job" NumNodes)" 2
    assert_equal "$(job_field "$job" NumTasks)" 8
    assert_contains "$(scontrol -o show job "$job")" "CPUs/Task=2"
    assert_equal "$(job_field "$job" TresPerNode)" $gres:4
    assert_equal "$(job_field "$job" NodeList)" "n[1-2]"
    assert_contains "$(job_output "$job")" "mode sync batch 32 tasks 8 cpus 2"
    assert_equal "$(job_output "$job" | grep -c '^rank ./8$')" 8
    run hora explain "$job"
    assert_contains "$output" "request     act: rewritten"
}

@test "a job that accepts sampling gets the rate at which rows travel" {
    local language=(--hora-model=p4-rnn-lm --hora-batch=64 --hora-gpus=4)
    job=$(submit "${language[@]}" --hora-accepts=sampling --wrap 'echo "rate $HORA_SAMPLE_RATE"')
    wait_for_job "$job" COMPLETED
    assert_equal "$(job_output "$job")" "rate 0.1"
    assert_contains "$(hora explain "$job")" "MB, rows at rate 0.1)"
    assert_equal "$(hora explain "$job" --json | jq .plan.exchange.sample_rate)" 0.1
    job=$(submit "${language[@]}" --wrap 'echo "rate ${HORA_SAMPLE_RATE-none}"')
    wait_for_job "$job" COMPLETED
    assert_equal "$(job_output "$job")" "rate none"
    assert_equal "$(hora explain "$job" --json | jq .plan.exchange.sample_rate)" 1
}

@test "observe leaves the request alone and keeps the plan" {
    run sbatch -H -p watch "${model[@]}" --hora-gpus=2-2 -o /dev/null --wrap true
    assert_equal "$status" 0
    [[ $output != *hora:* ]]
    job=${output##* }
    assert_equal "$(job_field "$job" TresPerNode)" ""
    run hora explain "$job" --json
    assert_contains "$output" '"operating": "observe"'
    assert_contains "$output" '"gpus": 2'
    drop_all
}

# bats test_tags=releases
@test "advise shows the user what to type and changes nothing" {
    run sbatch -H -p tell "${model[@]}" --hora-gpus=2-2 -o /dev/null --wrap true
    assert_contains "$output" "sbatch: hora: 2 x"
    assert_contains "$output" "hora: to get it, submit with"
    [ "$(grep -c "hora:" <<<"$output")" -le 3 ]
    job=$(grep -o 'job [0-9]*' <<<"$output" | grep -o '[0-9]*')
    assert_equal "$(job_field "$job" TresPerNode)" ""
    drop_all
}

# bats test_tags=releases
@test "options in the script, without an environment, and in arrays" {
    job=$(submit_script -H <<'END'
#!/bin/bash
#SBATCH --hora-model=resnet18 --hora-batch=32
#SBATCH --hora-gpus=2-2
true
END
)
    assert_equal "$(job_field "$job" TresPerNode)" $gres:2
    job=$(held "${model[@]}" --hora-gpus=2-2 --export=NONE)
    assert_equal "$(job_field "$job" TresPerNode)" $gres:2
    job=$(held "${model[@]}" --hora-gpus=2-2 --array=1-3)
    assert_equal "$(job_field "$job" TresPerNode)" $gres:2
    run hora explain "${job}_3"
    assert_contains "$output" "job ${job}_[1-3]"
    run hora explain "${job}_4"
    assert_contains "$output" "no job ${job}_4"
    drop_all
}

# bats test_tags=releases
@test "each component of a heterogeneous job is planned by itself" {
    run sbatch -H "${model[@]}" --hora-gpus=2-2 -N1 -o /dev/null : -N2 --wrap true
    assert_equal "$status" 0
    job=$(grep -o 'job [0-9]*' <<<"$output" | grep -o '[0-9]*')
    components=$(squeue -h -j "$job" -o "%i %D %b")
    assert_contains "$components" "$job+0 1 $gres:2"
    assert_contains "$components" "$job+1 2 $gres:1"
    drop_all
}

# bats test_tags=releases
@test "srun and salloc keep their tasks and get a GPU for each" {
    run srun "${model[@]}" -N2 -n4 sh -c 'echo "$SLURMD_NODENAME"'
    assert_contains "$output" "srun: hora: 4 x"
    assert_equal "$(grep -c '^n[0-9]$' <<<"$output")" 4
    run salloc "${model[@]}" -n2 sh -c 'scontrol -o show job $SLURM_JOB_ID'
    assert_contains "$output" "TresPerNode=$gres:"
    assert_contains "$output" "NumTasks=2"
}

@test "srun and salloc without -n get the GPUs of --hora-gpus, and say so" {
    run salloc "${model[@]}" --hora-gpus=2 sh -c 'srun -n2 sh -c "echo sees \$CUDA_VISIBLE_DEVICES"'
    assert_contains "$output" "salloc: hora: 2 GPUs for 1 task: srun and salloc start as many tasks"
    assert_equal "$(grep -c '^sees .,.$' <<<"$output")" 2
    run srun "${model[@]}" --hora-gpus=2 sh -c 'echo "sees $CUDA_VISIBLE_DEVICES"'
    assert_contains "$output" "srun: hora: 2 GPUs for 1 task"
    assert_equal "$(grep -c '^sees .,.$' <<<"$output")" 1
}

@test "--gres without -N is one node, as Slurm means it" {
    for request in --gres=gpu:1 --gpus-per-node=1; do
        job=$(held "${model[@]}" "$request")
        assert_contains "$(job_field "$job" NumNodes) $(job_field "$job" TresPerNode)" "1-1 gres"
        assert_contains "$(job_field "$job" TresPerNode)" gpu:1
    done
    drop_all
}

@test "one task a node has the GPUs of the node, and the CPUs that go with them" {
    job=$(submit_script "${model[@]}" --ntasks-per-node=1 --hora-gpus=8 <<'END'
#!/bin/bash
srun sh -c 'echo "task of $SLURM_NTASKS: $SLURM_GPUS_ON_NODE GPUs, $SLURM_CPUS_PER_TASK CPUs"'
END
)
    wait_for_job "$job" COMPLETED
    assert_equal "$(job_output "$job" | grep -c '^task of 2: 4 GPUs, 8 CPUs$')" 2
}

@test "what contradicts is refused, naming both" {
    for request in "--gpus=3 --hora-gpus=1-2" "-n4 --hora-gpus=1-2" "-N4 --hora-gpus=1-2" \
        "--gres=gpu:1 --hora-gpus=2-4" "--gpus=3 --hora-sizes=powers"; do
        read -ra words <<<"$request"
        run sbatch -H "${model[@]}" "${words[@]}" -o /dev/null --wrap true
        assert_equal "$status" 1
        assert_contains "$output" "${words[0]}"
        assert_contains "$output" "contradicts ${words[1]}"
    done
    assert_equal "$(squeue -h)" ""
}

# bats test_tags=releases
@test "what the user fixed stays fixed" {
    job=$(held "${model[@]}" -N2 --gres=gpu:1)
    assert_equal "$(job_field "$job" NumNodes) $(job_field "$job" TresPerNode)" "2-2 $gres:1"
    job=$(held "${model[@]}" -C tesla_k80 --hora-gpus=1-2)
    assert_contains "$(job_field "$job" Features)" tesla_k80
    job=$(held "${model[@]}" -w n3 --hora-gpus=1-2)
    assert_equal "$(job_field "$job" ReqNodeList)" n3
    drop_all
}

# Slurm refuses parentheses in parentheses.
@test "a constraint with parentheses gets the type behind it, and so does a preference" {
    local own="(titanx|tesla_k80)&(pairs|tesla_k80)"
    job=$(held "${model[@]}" --hora-gpus=2 -C "$own" --prefer="(titanx|tesla_k80)&pairs")
    assert_equal "$(scontrol -o show job "$job" | grep -o " Features=[^ ]*")" \
        " Features=$own&titanx"
    assert_contains "$(hora explain "$job")" \
        "$own&titanx&(titanx|tesla_k80)&pairs"
    drop_all
}

@test "--test-only plans and queues nothing" {
    run sbatch --test-only "${model[@]}" --wrap true
    assert_contains "$output" "hora: "
    assert_equal "$(squeue -h)" ""
}

@test "--hora-off and jobs without options pass as they are" {
    job=$(held "${model[@]}" --hora-off)
    assert_equal "$(job_field "$job" TresPerNode)$(job_field "$job" AdminComment)" ""
    job=$(held)
    assert_equal "$(job_field "$job" TresPerNode)$(job_field "$job" AdminComment)" ""
    drop_all
}

@test "a record of communication is accepted without a word" {
    run sbatch -H --hora-timeline -o /dev/null --wrap true
    assert_equal "$status" 0
    assert_equal "$(grep -c timeline <<<"$output")" 0
    drop_all
}

# bats test_tags=releases
@test "garbage is refused by the client with its message and exit code" {
    run sbatch --hora-model=resnet18 --hora-batch=-5 --wrap true
    assert_equal "$status" 255
    assert_contains "$output" '--hora-batch: "-5" is not a whole number'
    run sbatch --hora-model=resnet18 --hora-batch=32 --hora-gpus=4-2 --wrap true
    assert_contains "$output" '--hora-gpus: "4-2" ends below its start'
}

# bats test_tags=releases
@test "updates, holds and releases are left alone" {
    job=$(held "${model[@]}" --hora-gpus=2-2)
    scontrol update JobId="$job" TimeLimit=5
    scontrol release "$job"
    wait_for_job "$job" COMPLETED
    assert_contains "$(job_field "$job" AdminComment)" "hora={"
}

@test "hora plan gives the job's own answer" {
    hora plan --help >/dev/null 2>&1 || skip "no hora plan"
    job=$(held "${model[@]}" --hora-gpus=1-8)
    hora plan --cluster "$CLUSTER_DIR/$snapshot" --layout slurm --model resnet18 --batch 32 \
        --samples 32000 --epochs 1 --gpus 1-8 --json >plan.json
    hora explain "$job" --json >job.json
    python3 - <<'END'
import json
plan, job = json.load(open("plan.json")), json.load(open("job.json"))["plan"]
assert plan["mode"] == job["mode"], (plan["mode"], job["mode"])
assert len(plan["gpus"]) == job["gpus"], (plan["gpus"], job["gpus"])
assert plan["seconds"] == job["seconds"], (plan["seconds"], job["seconds"])
END
    drop_all
}

@test "explain: exit codes for unknown jobs, jobs without a plan and usage errors" {
    run hora explain 999999
    assert_equal "$status" 1
    assert_contains "$output" "no job 999999"
    job=$(held)
    run hora explain "$job"
    assert_equal "$status" 1
    assert_contains "$output" "job $job has no plan"
    run hora explain "1;id"
    assert_equal "$status" 2
    drop_all
}
