#!/usr/bin/env bats
# Does a plan use what QOS, associations, partitions and reservations allow, and never wait for a
# limit?

load cluster
load controller

setup_file() {
    cluster_up --accounting --nodes "$BATS_TEST_DIRNAME/limits.toml"
    make_limits
    scontrol create PartitionName=single Nodes=n[1-4] MaxNodes=1
    scontrol create PartitionName=thin Nodes=n[1-4] MaxCPUsPerNode=2
    scontrol create PartitionName=housed Nodes=n[1-4] QOS=house
    wait_for limits_arrived
    take_snapshot
}

teardown_file() {
    cluster_down
}

setup() {
    cd "$work" || return 1
    model=(--hora-model=resnet18 --hora-batch=512 --hora-gpus=1-8)
}

teardown() {
    as_user scancel --user="$tester"
    wait_for nothing_left
}

db() {
    sacctmgr --immediate --quiet "$@" >/dev/null
}

make_limits() {
    db add qos job4 set MaxTRESPerJob=gres/gpu=4
    db add qos job2 set MaxTRESPerJob=gres/gpu=2 Flags=DenyOnLimit
    db add qos job6 set MaxTRESPerJob=gres/gpu=6 Flags=OverPartQOS
    db add qos user6 set MaxTRESPerUser=gres/gpu=6
    db add qos node2 set MaxTRESPerNode=gres/gpu=2
    db add qos wall set MaxWall=10
    db add qos cpu4 set MaxTRESPerJob=cpu=4
    db add qos group4 set GrpTRES=gres/gpu=4
    db add qos account4 set MaxTRESPerAccount=gres/gpu=4
    db add qos last set GrpTRES=gres/gpu=12
    db add qos house set MaxTRESPerJob=gres/gpu=4
    db add account lab set GrpTRES=gres/gpu=6
    db add account team parent=lab
    db add account capped set MaxTRES=gres/gpu=2
    db add user "$tester" account=team
    db add user "$tester" account=capped set MaxTRES=gres/gpu=4
    db modify user "$tester" set qos=normal,job2,job4,job6,user6,node2,wall,cpu4,group4,account4,last
}

limits_arrived() {
    scontrol show assoc_mgr flags=qos | grep -q 'QOS=house' &&
        scontrol show assoc_mgr flags=assoc users="$tester" | grep -q 'Account=capped'
}

send() {
    as_user sbatch --parsable --output=/dev/null "$@"
}

# What sbatch said to the user beside it is in $output.
submitted() {
    run send "$@"
    assert_equal "$status" 0
    job=$(grep -x '[0-9]*' <<<"$output")
}

gpus_of() {
    job_tres "$1" | grep -o 'gres/gpu=[0-9]*' | grep -o '[0-9]*'
}

# starts_with GPUS SBATCH-OPTION…: the job starts, with so many GPUs.
starts_with() {
    local expected=$1
    shift
    submitted "${model[@]}" "$@" --wrap true
    wait_for has_started "$job" || return
    assert_equal "$(gpus_of "$job")" "$expected" || {
        echo "$output"
        return 1
    }
}

# holds GPUS SBATCH-OPTION…: a job without Hora that keeps its GPUs until it is cancelled.
holds() {
    submitted -N1 --gres=gpu:"$1" "${@:2}" --wrap 'sleep 600'
    wait_for job_is "$job" RUNNING
}

# is_as_planned OPTION…: `hora plan` gives the answer that a submission with the same options gets.
is_as_planned() {
    submitted -H "${model[@]}" "$@" --wrap true
    hora explain "$job" --json >job.json
    run hora plan --cluster "$CLUSTER_DIR/state/hora/snapshot.json" --user "$tester" \
        --model=resnet18 --batch=512 --gpus=1-8 "$@" --json
    [ "$status" -eq 0 ] || [ "$status" -eq 3 ]
    printf '%s\n' "$output" >plan.json
    /usr/bin/python3 - "$@" <<'END'
import json, sys
plan, job = json.load(open("plan.json")), json.load(open("job.json"))
# A double quote ends what sacctmgr and scontrol show of a comment, so the record has single ones.
plan["submission"]["remark"] = plan["submission"]["remark"].replace('"', "'")
for field in "operating", "partition", "snapshot", "remark", "changes":
    assert plan["submission"][field] == job[field], (sys.argv, field, plan["submission"], job)
if job["plan"] is None:
    assert plan["mode"] is None and not plan["gpus"], (sys.argv, plan)
else:
    assert len(plan["gpus"]) == job["plan"]["gpus"], (sys.argv, plan, job)
    for field in "mode", "seconds", "step_seconds":
        assert plan[field] == job["plan"][field], (sys.argv, field, plan, job)
    for field in "nodes", "where", "waits":
        assert plan["submission"][field] == job["plan"][field], (sys.argv, field, plan, job)
END
}

@test "without limits the plan has all it asked for" {
    starts_with 8
}

@test "QOS: GPUs, CPUs and a node's GPUs of one job" {
    starts_with 4 --qos=job4
    starts_with 4 --qos=Job4 # as Slurm knows it too
    starts_with 4 --qos=cpu4
    starts_with 8 --qos=node2
    assert_equal "$(job_field "$job" NumNodes)" 4
}

@test "hora plan gives the answer that the same submission gets" {
    is_as_planned --partition=main
    is_as_planned --qos=job4
    is_as_planned --qos=node2 --nodes=2
    is_as_planned --account=capped
    is_as_planned --partition=single --time=5
    is_as_planned --partition=thin --qos=cpu4
    is_as_planned --partition=housed --qos=job6
    is_as_planned --partition=single --nodes=2
}

@test "QOS: the longest time is Slurm's to set" {
    starts_with 8 --qos=wall
    assert_equal "$(job_field "$job" TimeLimit)" 00:10:00
}

@test "QOS: DenyOnLimit refuses what is too much, and no plan is" {
    run send --qos=job2 --gres=gpu:4 --wrap true
    [ "$status" -ne 0 ]
    starts_with 2 --qos=job2
}

@test "QOS: one user's, one account's and everybody's GPUs, some of them taken" {
    starts_with 6 --qos=user6
    starts_with 4 --qos=account4
    starts_with 4 --qos=group4
    holds 2 --qos=user6
    holds 2 --qos=account4
    holds 2 --qos=group4
    take_snapshot
    starts_with 4 --qos=user6
    starts_with 2 --qos=account4
    starts_with 2 --qos=group4
}

@test "nothing left of a limit: the job waits for a GPU as any other, and its user is informed" {
    holds 4 --qos=group4
    local holder=$job
    take_snapshot
    submitted "${model[@]}" --qos=group4 --wrap true
    assert_contains "$output" 'QOS "group4" leaves 0 GPUs'
    assert_contains "$(job_field "$job" TresPerNode)" gpu:1
    scancel "$holder"
    wait_for has_started "$job"
    assert_equal "$(gpus_of "$job")" 1
}

@test "account: the GPUs of the parent, some of them taken" {
    starts_with 6 --account=team
    holds 4 --account=team
    take_snapshot
    starts_with 2 --account=team
}

@test "association: the user's own limit outweighs the account's" {
    starts_with 4 --account=capped
}

@test "the QOS outweighs the association" {
    starts_with 6 --account=capped --qos=job6
    starts_with 8 --account=team --qos=last
}

@test "partition: nodes, CPUs of a node, and its own QOS" {
    take_snapshot
    starts_with 4 --partition=single
    assert_equal "$(job_field "$job" NumNodes)" 1
    starts_with 8 --partition=thin
    assert_equal "$(job_field "$job" NumNodes)" 4
    starts_with 4 --partition=housed
    starts_with 4 --partition=housed --qos=job2
    starts_with 6 --partition=housed --qos=job6
}

@test "reservation: inside on its nodes, outside on the others, also before it begins" {
    scontrol create reservation reservation=class users="$tester" nodes=n[1-2] start=now duration=60 \
        >/dev/null
    take_snapshot
    model=(--hora-model=resnet18 --hora-batch=512 --hora-gpus=1-16 --hora-dtype=fp32)
    starts_with 8 --reservation=class
    assert_equal "$(job_field "$job" NodeList)" "n[1-2]"
    starts_with 8
    assert_equal "$(job_field "$job" NodeList)" "n[3-4]"
    scontrol delete reservation=class
    scontrol create reservation reservation=later users="$tester" nodes=n[1-2] start=now+30minutes \
        duration=60 >/dev/null
    take_snapshot
    starts_with 8
    starts_with 16 --time=5
    scontrol delete reservation=later
}

nodes_are_idle() {
    ! sinfo -h -N -o %T | grep -qvx idle
}

@test "without enforcement limits are no matter" {
    sed -i 's/^AccountingStorageEnforce=.*/AccountingStorageEnforce=associations/' "$SLURM_CONF"
    restart_controller
    wait_for nodes_are_idle
    take_snapshot
    run jq -c '[.allowances, .users]' "$CLUSTER_DIR/state/hora/snapshot.json"
    assert_equal "$output" "[[],[]]"
    starts_with 8 --account=team
}
