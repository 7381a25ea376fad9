#!/usr/bin/env bats
# Does Hora keep its word while jobs are requeued and changed, controllers restart, settings are
# edited, and after the controller has forgotten the job?

load cluster
load controller

setup_file() {
    conf=$(mktemp)
    printf '%s\n' MinJobAge=3 ScronParameters=enable 'PartitionName=watch Nodes=n[1-4]' >"$conf"
    cluster_up --accounting --conf "$conf"
    rm "$conf"
    printf '[partition.watch]\nmode = "observe"\n' >>"$HORA_CONF"
    cp "$HORA_CONF" "$work/hora.toml.good"
    wait_for logged_since "configuration loaded" 1
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
    wait_for nothing_left
}

snapshot=state/hora/snapshot.json

is_planned() {
    assert_equal "$(job_field "$1" TresPerNode)" $gres:2
    assert_contains "$(job_field "$1" AdminComment)" "hora={"
}

# mode MODE: of the cluster, while it runs.
mode() {
    local before
    before=$(log_lines "configuration loaded")
    # In one go: an empty file is in force as well.
    sed "s/^mode = \"act\"/mode = \"$1\"/" hora.toml.good >"$HORA_CONF.new"
    mv "$HORA_CONF.new" "$HORA_CONF"
    wait_for logged_since "configuration loaded" "$before"
}

@test "a requeued job keeps its plan, its folder and its tasks" {
    job=$(submit_script "${model[@]}" --requeue --hora-gpus=2-2 --open-mode=append <<'END'
#!/bin/bash
echo "plan: $HORA_CHECKPOINT_DIR $HORA_MODE $HORA_BATCH $SLURM_NTASKS"
[ -n "$SLURM_RESTART_COUNT" ] || sleep 600
END
)
    wait_for test -s "$job.out"
    plan=$(job_field "$job" AdminComment)
    scontrol requeue "$job"
    wait_for job_is "$job" PENDING
    scontrol update JobId="$job" StartTime=now+2
    wait_for_job "$job" COMPLETED
    assert_equal "$(job_field "$job" AdminComment)" "$plan"
    assert_equal "$(job_field "$job" Restarts)" 1
    grep '^plan: ' "$job.out" >seen
    assert_equal "$(wc -l <seen) $(sort -u seen | wc -l)" "2 1"
    assert_contains "$(head -n 1 seen)" "$job"
    assert_contains "$(head -n 1 seen)" " sync 32 2"
}

@test "updates, holds and releases of a planned job are what was typed" {
    job=$(held "${model[@]}" --hora-gpus=2-2)
    plan=$(job_field "$job" AdminComment)
    scontrol update JobId="$job" TimeLimit=7 Comment=mine Features=pairs
    assert_equal "$(job_field "$job" NumNodes) $(job_field "$job" TimeLimit)" "1-1 00:07:00"
    assert_equal "$(job_field "$job" Features) $(job_field "$job" Comment)" "pairs mine"
    scontrol release "$job"
    wait_for has_started "$job"
    assert_equal "$(job_field "$job" AdminComment)" "$plan"
}

@test "restart and reconfigure: old jobs keep their plan, new ones are planned" {
    job=$(held "${model[@]}" --hora-gpus=2-2)
    good=$(log_lines "snapshot loaded")
    restart_controller
    wait_for logged_since "snapshot loaded" "$good"
    is_planned "$job"
    is_planned "$(held "${model[@]}" --hora-gpus=2-2)"
    scontrol reconfigure
    is_planned "$job"
    is_planned "$(held "${model[@]}" --hora-gpus=2-2)"
    scontrol release "$job"
    wait_for_job "$job" COMPLETED
}

@test "a job that was queued when Hora was removed runs as it was rewritten" {
    plugstack=$CLUSTER_DIR/etc/plugstack.conf
    cp "$plugstack" plugstack.good
    job=$(submit -H "${model[@]}" --hora-gpus=2-2 \
        --wrap 'srun sh -c "echo \$SLURM_PROCID of \$SLURM_NTASKS: \$SLURM_STEP_GPUS"')
    is_planned "$job"
    : >"$plugstack"
    scontrol release "$job"
    wait_for_job "$job" COMPLETED
    cp plugstack.good "$plugstack"
    assert_equal "$(sort "$job.out")" "0 of 2: 0,1
1 of 2: 0,1"
}

@test "settings edited while it runs take effect" {
    mode observe
    run sbatch -H "${model[@]}" --hora-gpus=2-2 -o /dev/null --wrap true
    [[ $output != *hora:* ]]
    mode advise
    run sbatch -H "${model[@]}" --hora-gpus=2-2 -o /dev/null --wrap true
    assert_contains "$output" "hora: to get it, submit with"
    mode act
    is_planned "$(held "${model[@]}" --hora-gpus=2-2)"
}

@test "where Hora only watches, users are shown nothing but that a value is wrong" {
    for request in "--hora-model=resnet18" "--hora-elastic" "${model[*]} --gpus-per-socket=1 --sockets-per-node=1" \
        "${model[*]} --hora-gpus=900"; do
        read -ra words <<<"$request"
        run sbatch -H -p watch "${words[@]}" -o /dev/null --wrap true
        [ "$status" -eq 0 ] || { echo "$request: $output" && return 1; }
        assert_equal "$(grep -c hora: <<<"$output")" 0
    done
    run sbatch -H -p watch "${model[@]}" --hora-batch=5x -o /dev/null --wrap true
    assert_contains "$output" "--hora-batch"
    run sbatch -H "${model[@]}" --hora-gpus=900 -o /dev/null --wrap true
    assert_contains "$output" "hora: no plan: "
}

@test "a snapshot that is not to be trusted: one line in the log, and jobs get a GPU" {
    file=$CLUSTER_DIR/$snapshot
    for damage in empty garbage cut open link foreign; do
        before=$(log_lines "no job gets a plan")
        case $damage in
            empty) : >"$file.new" ;;
            garbage) head -c 5000 /dev/urandom >"$file.new" ;;
            cut) head -c -20 good.json >"$file.new" ;;
            open) cp good.json "$file.new" && chmod 666 "$file.new" ;;
            link) ln -s "$work/good.json" "$file.new" ;;
            foreign) cp good.json "$file.new" && chown nobody "$file.new" ;;
        esac
        mv -T "$file.new" "$file"
        wait_for logged_since "no job gets a plan" "$before"
        plain=$(submit --wrap true)
        ours=$(submit "${model[@]}" --wrap true)
        assert_contains "$(job_field "$ours" TresPerNode)" gpu:1
        wait_for_job "$plain" COMPLETED
        wait_for_job "$ours" COMPLETED
        assert_equal "$damage $(log_lines "no job gets a plan")" "$damage $((before + 1))"
    done
    take_snapshot
    is_planned "$(held "${model[@]}" --hora-gpus=2-2)"
}

@test "explain finds what the controller has forgotten in the accounting" {
    job=$(submit "${model[@]}" --hora-gpus=2-2 --job-name="two words" --wrap true)
    plain=$(submit --wrap true)
    wait_for_job "$job" COMPLETED
    hora explain "$job" | sed 1d >known
    wait_for is_forgotten "$job"
    wait_for is_forgotten "$plain"
    run hora explain "$job"
    assert_equal "$status" 0
    assert_contains "$output" '"two words", COMPLETED'
    assert_equal "$(sed 1d <<<"$output")" "$(cat known)"
    run hora explain "$job" --json
    assert_equal "$(jq -r '.state, .operating, .plan.gpus' <<<"$output" | paste -sd ' ')" \
        "COMPLETED act 2"
    run hora explain "$plain"
    assert_equal "$status" 1
    assert_contains "$output" "job $plain has no plan"
    run hora explain 99999
    assert_equal "$status" 1
    assert_contains "$output" "accounting does not know it either"
}

@test "scrontab's jobs are planned too" {
    command -v scrontab || skip "no scrontab here"
    printf '#SCRON --hora-model=resnet18 --hora-batch=32 --hora-gpus=2-2\n@yearly /bin/true\n' |
        scrontab -
    is_planned "$(squeue -h -o %A | head -n 1)"
    scrontab -r
}
