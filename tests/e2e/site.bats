#!/usr/bin/env bats
# Does horad keep to what a site allows its users, and is no job worse off for it?

load cluster
load controller
load elastic

setup_file() {
    # Memory is allocated, as most sites do it.
    printf '%s\n' SelectTypeParameters=CR_Core_Memory DefMemPerCPU=100 >"$BATS_FILE_TMPDIR/conf"
    # A policy that resizes nothing: the tests do it.
    elastic_up fcfs --accounting --conf "$BATS_FILE_TMPDIR/conf"
    make_limits
    scontrol create PartitionName=single Nodes=n[1-4] MaxNodes=1
    scontrol create PartitionName=shut Nodes=n1 State=DOWN
    wait_for limits_arrived
    start_horad
}
teardown_file() { cluster_down; }
setup() { cd "$work" || return 1; }
teardown() {
    clear_after_failure
    scancel --user="$tester"
    wait_for nothing_left
}

db() { sacctmgr --immediate --quiet "$@" >/dev/null; }

make_limits() {
    db add qos cpu4 set MaxTRESPerUser=cpu=4
    db add qos node1 set MaxTRESPerUser=node=1
    db add qos memory400 set MaxTRESPerUser=mem=400M
    db add qos billing4 set MaxTRESPerJob=billing=4
    db add qos later-cpu
    db add qos later-node
    db add account lab
    db add user "$tester" account=lab
    db modify user "$tester" set qos=normal,cpu4,node1,memory400,billing4,later-cpu,later-node
}

limits_arrived() {
    scontrol show assoc_mgr flags=assoc users="$tester" | grep -q 'Account=lab'
}

# Limits are for users, and not for root.
sbatch() { as_user "$(type -P sbatch)" "$@"; }

# runs GPUS [SBATCH OPTION…]: $job runs with so many, one CPU each, and has reported that it does.
runs() {
    job=$(pretend "$1-8" 100000 --cpus-per-task=1 "${@:2}")
    wait_for runs_on "$job" "$1"
    wait_for has_reported "$job"
}

# is_refused GPUS WHY: the job is not taken down for so many.
is_refused() {
    run hora resize "$job" "$1"
    assert_equal "$status" 1
    assert_contains "$output" "$2"
    assert_equal "$(job_field "$job" Restarts)" 0
}

@test "QOS: no resize gives a job more CPUs than its user may have" {
    runs 4 --qos=cpu4
    is_refused 8 'QOS "cpu4" leaves it 4 CPUs'
}

@test "QOS: nor more memory" {
    runs 4 --qos=memory400
    is_refused 8 'QOS "memory400" leaves it 400 MiB of memory'
}

# is_planned GPUS NODES SBATCH-OPTION…: a job that Hora may give eight GPUs starts with so many.
is_planned() {
    job=$(sbatch --parsable --output=/dev/null --hora-model=resnet18 --hora-batch=512 \
        --hora-gpus=1-8 "${@:3}" --wrap true)
    wait_for has_started "$job"
    assert_equal "$(job_tres "$job" | grep -o 'gres/gpu=[0-9]*')" "gres/gpu=$1"
    assert_equal "$(job_field "$job" NumNodes)" "$2"
}

@test "memory: a plan has no GPUs of a node for whose memory the node is too small" {
    # A node has 1000 MiB and 8 CPUs.
    is_planned 6 3 --gpus=6 --mem-per-gpu=400
    is_planned 4 1 --mem-per-cpu=250 --nodes=1
    is_planned 2 1 --mem-per-cpu=250 --cpus-per-task=2 --nodes=1
}

@test "QOS: nor more billing" {
    runs 4 --qos=billing4
    is_refused 8 'QOS "billing4" leaves it 4 units of billing'
}

@test "QOS: no running job is taken down for more nodes than its user may have" {
    runs 4 --qos=node1
    is_refused 8 'QOS "node1" leaves it 1 node'
}

@test "partition: no running job is taken down for more nodes than MaxNodes" {
    runs 4 --partition=single
    is_refused 8 'partition "single" leaves it 1 node'
}

readonly nowhere='no nodes that it may have give 8 GPUs now'

@test "-x: no running job is taken down for nodes that it excludes" {
    runs 4 --exclude=n[2-4]
    is_refused 8 "$nowhere"
}

@test "--exclusive: nor for nodes on which something runs, though it holds no GPU" {
    filler=$(submit --hora-off -w n[2-4] -N3 --ntasks-per-node=1 --mem=10 --output=/dev/null \
        --wrap "sleep 1000")
    wait_for_job "$filler" RUNNING
    runs 4 --exclusive
    is_refused 8 "$nowhere"
    scancel "$job"
    # Others may have their GPUs.
    runs 4
    resize "$job" 8
    wait_for runs_on "$job" 8
}

@test "reservation: nor for nodes that one takes before its time limit is over" {
    scontrol create Reservation=soon Nodes=n[2-4] StartTime=now+600 Duration=60 Users=root \
        Flags=maint
    runs 4 --time=60
    is_refused 8 "$nowhere"
    scontrol delete Reservation=soon
    wait_for can_grow
}

# Once horad has seen that the reservation is gone.
can_grow() { hora resize "$job" 8; }

@test "a job of several partitions has the nodes of the first that is up" {
    runs 4 --partition=shut,main
    resize "$job" 8
    wait_for runs_on "$job" 8
}

# may_not_grow REASON: from now on no job of the user's may have more than four CPUs, or one node.
may_not_grow() {
    case $1 in
        QOSMaxCpuPerUserLimit) db modify qos later-cpu set MaxTRESPerUser=cpu=4 ;;
        QOSMaxNodePerUserLimit) db modify qos later-node set MaxTRESPerUser=node=1 ;;
        PartitionNodeLimit) scontrol update PartitionName=main MaxNodes=1 ;;
        AssocMaxCpuPerJobLimit) db modify user "$tester" set MaxTRESPerJob=cpu=4 ;;
    esac
    wait_for is_limited "$1"
}
is_limited() {
    case $1 in
        QOSMaxCpuPerUserLimit) scontrol show assoc_mgr flags=qos qos=later-cpu ;;
        QOSMaxNodePerUserLimit) scontrol show assoc_mgr flags=qos qos=later-node ;;
        PartitionNodeLimit) scontrol show partition main ;;
        AssocMaxCpuPerJobLimit) scontrol show assoc_mgr flags=assoc users="$tester" ;;
    esac | grep -E 'MaxTRESPU=.*(cpu=4|node=1)|MaxNodes=1|MaxTRESPJ=.*cpu=4'
}

# goes_back REASON [SBATCH OPTION…]: what comes while the job writes its checkpoint keeps it from
# eight GPUs, and it has its four again.
goes_back() {
    job=$(pretend 4-8 100000 --cpus-per-task=1 "${@:2}")
    wait_for has_gpus "$job" 4 8
    runs_on "$job" 4 || resize "$job" 4
    wait_for runs_on "$job" 4
    before=$(job_field "$job" Restarts)
    begin_resize "$job" 8
    may_not_grow "$1"
    kill -CONT "$(pretender)"
    wait_for -t 90 is_settled "$job"
    wait_for runs_on "$job" 4
    assert_equal "$(job_field "$job" Restarts)" "$((before + 1))"
    assert_contains "$(hora explain "$job")" \
        "reverted to 4 GPUs: with 8 it cannot be scheduled ($1)"
}

@test "a job goes back to what it had for a limit of its QOS on CPUs" {
    goes_back QOSMaxCpuPerUserLimit --qos=later-cpu
}

@test "a job goes back to what it had for a limit of its QOS on nodes" {
    goes_back QOSMaxNodePerUserLimit --qos=later-node
}

@test "a job goes back to what it had for a limit of its partition" {
    goes_back PartitionNodeLimit
    scontrol update PartitionName=main MaxNodes=UNLIMITED
}

@test "a job goes back to what it had for a limit of its association" {
    goes_back AssocMaxCpuPerJobLimit
    db modify user "$tester" set MaxTRESPerJob=cpu=-1
}

# stays JOB WHY: both commands say why nothing is done to it.
stays() {
    hora status | grep -F "job $1: $2" && hora explain "$1" | grep -F "unchanged   $2"
}

@test "a job that waits in an inner partition has room made for it there" {
    use_policy hora
    scontrol create PartitionName=inner Nodes=n4
    filler=$(submit --hora-off -w n[1-3] -N3 --gres=gpu:4 --output=/dev/null --wrap "sleep 1000")
    wait_for_job "$filler" RUNNING
    job=$(pretend 1-4 100000 --cpus-per-task=1 --hora-yield)
    wait_for -t 90 has_gpus "$job" 4 4
    assert_equal "$(job_field "$job" NodeList)" n4
    wait_for has_reported "$job"
    scancel "$filler"
    wait_for idle_gpus 12
    wait_for stays "$job" "has all of the 4 GPUs that it may have"
    waits=$(submit --hora-off --partition=inner --gres=gpu:2 --output=/dev/null --wrap "sleep 1000")
    wait_for -t 90 job_is "$waits" RUNNING
    wait_for -t 60 has_gpus "$job" 1 4
    scancel "$waits" "$job"
    use_policy fcfs
}
