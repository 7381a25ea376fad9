#!/usr/bin/env bats
# Does a real Slurm take the lines that `hora topology` prints, and keep GPU pairs together by them?

load cluster
load command
load controller

machines=(two-switches-one-socket two-switches-two-sockets one-socket-four-switches amd)

setup_file() {
    local i node machine rest line
    cluster_up --without-hora --nodes "$BATS_TEST_DIRNAME/gres.toml"
    : >"$CLUSTER_DIR/etc/gres.conf"
    mkdir "$CLUSTER_DIR/dev/dri"
    for i in 128 129 130 131; do
        mknod "$CLUSTER_DIR/dev/dri/renderD$i" c 226 "$i"
    done
    for i in "${!machines[@]}"; do
        node=n$((i + 1))
        machine=$BATS_TEST_DIRNAME/../topologies/${machines[i]}.xml
        "$hora" topology "$machine" --gres-conf --node "$node" --type titanx |
            sed "s,File=/dev/,File=$CLUSTER_DIR/dev/," >>"$CLUSTER_DIR/etc/gres.conf"
        # Where the virtual node listens, and its memory, are the test's.
        rest=$(sed -n "s/^NodeName=$node .*\(NodeHostname=.* Port=[0-9]*\) .*\(RealMemory=[0-9]*\).*/\1 \2/p" "$SLURM_CONF")
        line=$("$hora" topology "$machine" --slurm-node --node "$node" --type titanx)
        sed -i "s,^NodeName=$node .*,$line $rest," "$SLURM_CONF"
    done
    restart_with_new_lines
}

teardown_file() { cluster_down; }

setup() { cd "$work" || return 1; }

restart_with_new_lines() {
    local file pid
    for file in "$CLUSTER_DIR"/run/slurmd-n?.pid "$CLUSTER_DIR/run/slurmctld.pid"; do
        pid=$(<"$file")
        kill "$pid"
        wait_for is_gone "$pid"
    done
    rm -f "$CLUSTER_DIR"/log/slurm*.log
    start slurmctld -c -f "$SLURM_CONF"
    wait_for sh -c 'scontrol ping | grep -q "is UP"'
    for node in n1 n2 n3 n4; do
        start slurmd -f "$SLURM_CONF" -N "$node"
    done
    wait_for nodes_are_idle
}

# Ours to end with the rest of the cluster, by the mark.
start() {
    env DEVCLUSTER="$CLUSTER_DIR" setsid "$@" </dev/null >>"$CLUSTER_DIR/log/start.log" 2>&1 3>&-
}

nodes_are_idle() {
    [ "$(sinfo --noheader --Node --format=%T | sort | uniq -c | tr -s ' ')" = " 4 idle" ]
}

# gpus_of JOB: "0,1".
gpus_of() {
    scontrol --detail show job "$1" | sed -n 's/.*GRES=.*IDX:\([0-9,-]*\).*/\1/p'
}

# pair_job NODE: two GPUs of one of Slurm's sockets.
pair_job() {
    sbatch --parsable -o /dev/null -w "$1" -N1 -n1 --gres=gpu:2 --gpus-per-socket=2 \
        --sockets-per-node=1 --wrap 'sleep 600'
}

@test "no daemon complains of sockets, cores or GPUs" {
    # Virtual nodes claim more than this machine has; of real ones slurmd does not say so. A busy
    # machine makes slurmctld complain of time.
    run bash -c 'grep -hiE "error|warn|fatal|invalid|mismatch|differ|ignor" "$1"/slurm*.log |
        grep -v -e "Node configuration differs from hardware" -e "very large processing time" \
            -e "cgroup/v1 plugin is deprecated" \
            -e "High latency"' bash "$CLUSTER_DIR/log"
    assert_equal "$output" ""
    assert_equal "$(grep -h "Gres Name=gpu Type=titanx" "$CLUSTER_DIR"/log/slurmd-n?.log | wc -l)" 16
}

# bats test_tags=releases
@test "Slurm knows the nodes as the lines say" {
    run sinfo --noheader --Node --format='%N %z %G'
    assert_equal "$output" "n1 2:4:2 gpu:titanx:4(S:0-1)
n2 2:8:2 gpu:titanx:4(S:0-1)
n3 4:4:2 gpu:titanx:8(S:0-3)
n4 2:16:2 gpu:titanx:4(S:0-1)"
}

@test "pairs come from one switch, also when that is not what is free first" {
    for node in n1 n2 n3 n4; do
        single=$(sbatch --parsable -o /dev/null -w "$node" -N1 -n1 --gres=gpu:1 --wrap 'sleep 600')
        wait_for_job "$single" RUNNING
        assert_equal "$(gpus_of "$single")" 0
        pair=$(pair_job "$node")
        wait_for_job "$pair" RUNNING
        assert_equal "$node $(gpus_of "$pair")" "$node 2-3"
    done
    # No other pair is free on n1; on n3 there are two.
    left=$(pair_job n1)
    first=$(pair_job n3)
    second=$(pair_job n3)
    third=$(pair_job n3)
    wait_for_job "$first" RUNNING
    wait_for_job "$second" RUNNING
    assert_equal "$(gpus_of "$first") $(gpus_of "$second")" "4-5 6-7"
    for job in "$left" "$third"; do
        wait_for waits_for_resources "$job"
    done
    scancel --me
}
