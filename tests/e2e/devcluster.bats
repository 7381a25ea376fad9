#!/usr/bin/env bats
# Does the private cluster come up, keep to itself, and go without a trace?

load cluster

setup() {
    cd /
    dir=$(mktemp -d "${HORA_E2E_PREFIX:-/tmp/hora-e2e}.XXXXXX")
    other=$(mktemp -d "${HORA_E2E_PREFIX:-/tmp/hora-e2e}.XXXXXX")
}

teardown() {
    "$devcluster" down --dir "$dir" 3>&-
    "$devcluster" down --dir "$other" 3>&-
    rm -rf "$dir" "$other"
}

# Files in /proc of the daemons that carry the mark of the cluster in folder $1.
marked() {
    grep -lszxF "DEVCLUSTER=$1" /proc/[0-9]*/environ || true
}

is_gone() {
    [ -z "$(marked "$1")" ]
}

up() {
    local where=$1
    shift
    run "$devcluster" up --without-hora --dir "$where" "$@" 3>&-
}

# Where neither accounts nor cgroups matter.
up_quickly() {
    up "$@" --laboratory
}

inside() {
    run timeout "$answer_limit" "$devcluster" run --dir "$dir" "$@"
}

@test "a plain cluster runs a job on four unequal nodes" {
    up "$dir"
    assert_equal "$status" 0
    inside srun -N4 --gres=gpu:1 printenv SLURMD_NODENAME
    assert_equal "$(sort <<<"$output" | xargs)" "n1 n2 n3 n4"
    inside sinfo -h -N -o '%N %G'
    assert_contains "$output" "n1 gpu:titanx:4(S:0-1)"
    assert_contains "$output" "n4 gpu:tesla_k80:2"
}

# slurmdbd hears of a job some time after its end.
is_accounted() {
    inside sacct -X -a -n -o user%10,account%10
    [[ $output =~ $1\ +$2 ]]
}

@test "without options it is set up as a site, with several users and partitions that overlap" {
    local user
    up "$dir"
    assert_equal "$status" 0
    inside sinfo -h -o '%R %D'
    assert_equal "$(sort <<<"$output" | xargs)" "debug 1 main 4"
    inside scontrol show config
    [[ $output =~ KillWait\ *=\ 30 ]]
    if [ -w /sys/fs/cgroup/freezer ]; then
        assert_contains "$output" "proctrack/cgroup"
        assert_contains "$output" "task/cgroup,task/affinity"
    fi
    assert_contains "$output" "accounting_storage/slurmdbd"
    for user in games news mail; do
        run as "$user" "$devcluster" run --dir "$dir" timeout "$answer_limit" srun -D / --gres=gpu:1 id -un
        assert_equal "$output" "$user"
    done
    wait_for is_accounted news main
}

@test "in the laboratory it starts and ends quickly, and says so" {
    up_quickly "$dir"
    assert_equal "$status" 0
    assert_contains "$output" "4 nodes, no cgroups, no accounting"
    inside scontrol show config
    [[ $output =~ KillWait\ *=\ 5 ]]
    assert_contains "$output" "proctrack/linuxproc"
}

@test "switches of the nodes file become Slurm's topology" {
    up_quickly "$dir"
    inside scontrol show topology
    [[ $output =~ "SwitchName=leaf1 Level=0 LinkSpeed=1 Nodes="(n1,n2|n\[1-2\]) ]]
    assert_contains "$output" "SwitchName=fabric Level=1"
}

@test "jobs look up node names" {
    up_quickly "$dir"
    inside srun -N1 getent hosts n4
    assert_contains "$output" "127.0.0.1"
}

@test "an ordinary user runs jobs" {
    up "$dir"
    work=$dir
    run as_user "$devcluster" run --dir "$dir" timeout "$answer_limit" srun -D / -N2 id -un
    assert_equal "$output" "$tester"$'\n'"$tester"
}

@test "a second up says that the cluster is there" {
    up_quickly "$dir"
    up_quickly "$dir"
    assert_equal "$status" 1
    assert_contains "$output" "is already up"
}

@test "two clusters stand side by side" {
    up_quickly "$dir" --name one
    up_quickly "$other" --name two
    assert_equal "$status" 0
    inside scontrol show config
    assert_contains "$output" "= one"
    run "$devcluster" run --dir "$other" scontrol show config
    assert_contains "$output" "= two"
    "$devcluster" down --dir "$dir"
    run "$devcluster" status --dir "$other"
    assert_equal "$status" 0
}

# Which of the four virtual GPUs of its node a job may open: a device without a driver fails with
# another error than one that is forbidden.
openable='for gpu in 0 1 2 3; do
    (exec 3<"$0/dev/nvidia$gpu") 2>&1 | grep -q "not permitted" || printf "%s " $gpu
done'

@test "with cgroups a job opens its own GPUs only, beside a cluster with the same nodes" {
    [ -d /sys/fs/cgroup/devices ] || skip "no cgroups of version 1"
    up "$dir" --cgroups
    assert_equal "$status" 0
    assert_contains "$output" "4 nodes, cgroups"
    up "$other" --cgroups --name other
    assert_equal "$status" 0
    inside srun -Q -D / -w n1 --gres=gpu:4 sh -c "$openable" "$dir"
    assert_equal "$output" "0 1 2 3 "
    inside srun -Q -D / -w n1 --gres=gpu:1 sh -c "$openable" "$dir"
    assert_equal "$output" "0 "
    run "$devcluster" run --dir "$other" timeout "$answer_limit" srun -Q -D / -w n1 --gres=gpu:1 sh -c "$openable" "$other"
    assert_equal "$output" "0 "
    inside scontrol show config
    assert_contains "$output" "proctrack/cgroup"
    "$devcluster" down --dir "$dir"
    [ -z "$(find /sys/fs/cgroup -maxdepth 2 -name "*${dir##*/}")" ]
    run "$devcluster" run --dir "$other" timeout "$answer_limit" srun -D / -N4 true
    assert_equal "$status" 0
}

@test "down ends running jobs and leaves nothing" {
    up_quickly "$dir"
    "$devcluster" run --dir "$dir" sbatch -D / -o /dev/null --wrap "srun sleep 987"
    wait_for "$devcluster" run --dir "$dir" sh -c 'test -n "$(squeue -h -t R)"'
    run "$devcluster" down --dir "$dir"
    assert_equal "$status" 0
    [ ! -e "$dir" ]
    is_gone "$dir"
    run grep -lszxF "SLURM_CONF=$dir/etc/slurm.conf" /proc/[0-9]*/environ
    assert_equal "$output" ""
}

@test "with Hora's daemon, which gives its status and ends with the cluster" {
    run "$devcluster" up --horad --dir "$dir" 3>&-
    assert_equal "$status" 0
    assert_contains "$output" "4 nodes, horad"
    run "$devcluster" run --dir "$dir" hora status
    assert_equal "$status" 0
    assert_contains "$output" "no job with Hora's options"
    local pid
    pid=$(<"$dir/state/hora/horad.$(hostname).lock")
    run "$devcluster" down --dir "$dir"
    assert_equal "$status" 0
    is_gone "$pid"
    up_quickly "$dir" --horad --without-hora
    assert_equal "$status" 2
}

@test "down works after some daemons were killed" {
    up_quickly "$dir"
    for file in $(marked "$dir" | head -n 3); do
        kill -KILL "$(tr -dc 0-9 <<<"$file")" || true
    done
    run "$devcluster" down --dir "$dir"
    assert_equal "$status" 0
    [ ! -e "$dir" ]
    is_gone "$dir"
}

@test "up clears what a crash left" {
    up_quickly "$dir"
    for file in $(marked "$dir"); do
        kill -KILL "$(tr -dc 0-9 <<<"$file")" || true
    done
    wait_for is_gone "$dir"
    up_quickly "$dir"
    assert_equal "$status" 0
    assert_contains "$output" "clearing what a crash left"
}

@test "an interrupted up takes down what it started" {
    "$devcluster" up --without-hora --dir "$dir" >/dev/null 2>&1 3>&- &
    local pid=$!
    wait_for test -e "$dir/run/munged.pid"
    kill -TERM "$pid"
    wait_for is_over "$pid"
    [ ! -e "$dir" ]
    is_gone "$dir"
}

@test "an up that fails shows the log and takes all down" {
    echo "NoSuchKey=1" >"$other/wrong.conf"
    up_quickly "$dir" --conf "$other/wrong.conf"
    assert_equal "$status" 1
    assert_contains "$output" "NoSuchKey"
    [ ! -e "$dir" ]
    is_gone "$dir"
}

@test "a folder that holds something else is left alone" {
    touch "$dir/mine"
    up_quickly "$dir"
    assert_equal "$status" 1
    assert_contains "$output" "holds something else"
    "$devcluster" down --dir "$dir"
    [ -e "$dir/mine" ]
}

@test "a wrong nodes file is refused with the key" {
    printf '[[node]]\nname = "n1"\ngpus = 4\n' >"$other/nodes.toml"
    up_quickly "$dir" --nodes "$other/nodes.toml"
    assert_equal "$status" 2
    assert_contains "$output" 'unknown key "gpus" of node "n1"'
    [ ! -e "$dir" ]
}

@test "status of no cluster fails and says how to start one" {
    run "$devcluster" status --dir "$dir"
    assert_equal "$status" 1
    assert_contains "$output" "'devcluster up' starts one"
}
