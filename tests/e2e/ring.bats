#!/usr/bin/env bats
# Do ranks, GPUs and CPUs follow the ring on a real cluster?

load cluster

setup_file() {
    echo "TaskPlugin=task/affinity" >"$BATS_FILE_TMPDIR/conf"
    cluster_up --nodes "$BATS_TEST_DIRNAME/ring.toml" --conf "$BATS_FILE_TMPDIR/conf"
    # GPUs 0 and 2 share a switch, 1 and 3 another one. On n1 the former are near CPU 0; on n2 GPUs
    # 2 and 3 are.
    cp "$BATS_TEST_DIRNAME/ring.json" "$CLUSTER_DIR/etc/n1.json"
    awk 'BEGIN { RS = ORS = "\"cpus\":" } { sub(/^"[01]"/, NR < 4 ? "\"1\"" : "\"0\"") } 1' \
        "$BATS_TEST_DIRNAME/ring.json" | sed '$ s/"cpus":$//' >"$CLUSTER_DIR/etc/n2.json"
    echo '{"version":1,' >"$CLUSTER_DIR/etc/n3.json"
    printf '\n[topology]\npath = "%s/etc/{node}.json"\n' "$CLUSTER_DIR" >>"$HORA_CONF"
    cat >"$work/where" <<'SCRIPT'
#!/bin/sh
echo "$SLURM_PROCID $SLURMD_NODENAME"
SCRIPT
    cat >"$work/devices" <<'SCRIPT'
#!/bin/sh
echo "$SLURM_PROCID $CUDA_VISIBLE_DEVICES $HORA_RING"
SCRIPT
    cat >"$work/cpus" <<'SCRIPT'
#!/bin/sh
echo "$SLURM_PROCID $(sed -n 's/^Cpus_allowed_list:[[:space:]]*//p' /proc/self/status)"
SCRIPT
    chmod 755 "$work"/where "$work"/devices "$work"/cpus
}

teardown_file() { cluster_down; }

setup() { cd "$work" || return 1; }

# How often a ring over nodes (one a line, in rank order) goes from one leaf to another.
count_crossings() {
    awk '{ leaf = ($1 == "n3" || $1 == "n6") ? 3 : (substr($1, 2) + 2) % 3 + 1
           if (NR == 1) first = leaf; else if (leaf != last) crossings++
           last = leaf }
         END { print crossings + (last != first) }'
}

# From 26.05 on Slurm orders by the switches of itself, except in a step on all nodes.
orders_parts() {
    [[ $(slurm_release) > 26.04 ]]
}

# nodes_of < "RANK NODE" lines: the nodes in rank order, on one line.
nodes_of() {
    sort -n | cut -d' ' -f2 | uniq | paste -sd' '
}

# bats test_tags=releases
@test "ranks follow the switches with Hora, and not without" {
    cat >"$work/ranks" <<'SCRIPT'
#!/bin/sh
srun ./where
SCRIPT
    assert_equal "$(run_script -N8 -n8 <"$work/ranks" | sort -n | cut -d' ' -f2 | count_crossings)" 8
    run run_script -N8 -n8 --hora-batch=8 <"$work/ranks"
    assert_equal "$(sort -n <<<"$output" | cut -d' ' -f2 | count_crossings)" 3
    assert_equal "$(nodes_of <<<"$output")" "n1 n4 n7 n2 n5 n8 n3 n6"
}

@test "ranks follow the switches without an input, and where lines are to be short" {
    cat >"$work/bare" <<'SCRIPT'
#!/bin/sh
SLURM_TOPO_LEN=20 srun ./where <&-
SCRIPT
    run run_script -N8 -n8 --hora-batch=8 <"$work/bare"
    assert_equal "$(nodes_of <<<"$output")" "n1 n4 n7 n2 n5 n8 n3 n6"
}

@test "every srun of a script on all of its nodes is ordered" {
    run run_script -N8 -n16 --ntasks-per-node=2 --hora-batch=8 <<'SCRIPT'
#!/bin/sh
exec 2>/dev/null
line() { sort -n | cut -d' ' -f2 | paste -sd' '; }
srun --jobid=$SLURM_JOB_ID ./where | line
srun -n16 -l ./where | sed 's/^ *[0-9]*: //' | line
srun sh -c 'echo "${SLURM_HOSTFILE-no} ${SLURM_DISTRIBUTION-no} ${SLURM_SPANK_HORA_RANKS-no}"' | sort -u
srun sh -c 'echo "$SLURM_PROCID $TF_CONFIG"' | sed 's/ .*"index":\([0-9]*\).*/ \1/' | awk '$1 == $2' | wc -l
srun sh -c 'test "$SLURM_PROCID" = 15 && echo "$MASTER_ADDR $SLURMD_NODENAME"; true'
SCRIPT
    assert_equal "${lines[0]}" "n1 n1 n4 n4 n7 n7 n2 n2 n5 n5 n8 n8 n3 n3 n6 n6"
    assert_equal "${lines[1]}" "n1 n1 n4 n4 n7 n7 n2 n2 n5 n5 n8 n8 n3 n3 n6 n6"
    # Nothing of the host file reaches the tasks.
    assert_equal "${lines[2]}" "no no no"
    # TensorFlow's rings follow the index of its workers.
    assert_equal "${lines[3]}" 16
    assert_equal "${lines[4]}" "n1 n6"
}

# bats test_tags=releases
@test "HORA_RING has the nodes in the order that the ranks really have" {
    run run_script -N8 -n8 --hora-batch=8 <<'SCRIPT'
#!/bin/bash
exec 2>/dev/null
# What the ring says, and which nodes the ranks run on in the order of the first rank of each.
compare() {
    "$@" sh -c 'echo "$SLURM_PROCID $SLURMD_NODENAME $HORA_RING"' | sort -n >seen
    said=$(sed -n '1s/.*nodes=\([^;]*\).*/\1/p' seen)
    real=$(cut -d' ' -f2 seen | awk '!found[$0]++' | paste -sd,)
    [ -n "$said" ] && [ "$said" = "$real" ] && echo "true" || echo "$*: said $said, real $real"
}
compare srun
compare srun -N3 -n3
compare srun -n16 --overcommit
compare srun -n16 --overcommit -m cyclic
compare srun -m plane=1
compare srun -n2 -N2 -w n2,n4
printf 'n8\nn1\nn3\n' >order
SLURM_HOSTFILE=order compare srun -n3
SCRIPT
    assert_equal "$(sort <<<"$output" | uniq -c | sed 's/^ *//')" "7 true"
}

# bats test_tags=releases
@test "a number of nodes may be named in a shell of salloc" {
    run as_user salloc -N4 -n4 -w n1,n2,n4,n5 --hora-batch=8 srun -N4 ./where
    assert_equal "$status" 0
    assert_equal "$(grep -c '^[0-9] n' <<<"$output")" 4
    run as_user salloc -N4 -n4 -w n1,n2,n4,n5 --hora-batch=8 srun -N2 -n2 ./where
    assert_equal "$status" 0
    assert_equal "$(grep -c '^[0-9] n' <<<"$output")" 2
}

@test "what the user shapes is left" {
    run run_script -N8 -n8 --hora-batch=8 <<'SCRIPT'
#!/bin/sh
exec 2>/dev/null
line() { sort -n | cut -d' ' -f2 | paste -sd' '; }
srun -m cyclic ./where | line
SLURM_DISTRIBUTION=cyclic srun ./where | line
srun -n2 -N2 -w n2,n4 ./where | line
printf 'n8\nn1\n' >order
SLURM_HOSTFILE=order srun -n2 ./where | line
srun --hora-off ./where | line
srun -n9 --overcommit ./where | line
SCRIPT
    assert_equal "${lines[0]}" "n1 n2 n3 n4 n5 n6 n7 n8"
    assert_equal "${lines[1]}" "n1 n2 n3 n4 n5 n6 n7 n8"
    assert_equal "${lines[2]}" "n2 n4"
    assert_equal "${lines[3]}" "n8 n1"
    assert_equal "${lines[4]}" "n1 n2 n3 n4 n5 n6 n7 n8"
    slurms_own="n1 n1 n2 n3 n4 n5 n6 n7 n8"
    ! orders_parts || slurms_own="n1 n1 n4 n7 n2 n5 n8 n3 n6"
    assert_equal "${lines[5]}" "$slurms_own"
}

@test "steps side by side do not wait for each other's nodes" {
    run run_script -N8 -n8 --hora-batch=8 <<'SCRIPT'
#!/bin/bash
exec 2>/dev/null
# Each ends only when the other has come.
meet() { srun -N4 -n4 --exact timeout 60 sh -c "touch met-$1; until test -e met-$2; do sleep 0.1; done"; }
meet a b &
meet b a &
wait
srun -N4 -n4 ./where | sort -n | cut -d' ' -f2 | paste -sd' '
rm met-a met-b
srun ./where >whole &
wait
sort -n whole | cut -d' ' -f2 | paste -sd' '
SCRIPT
    slurms_own="n1 n2 n3 n4"
    ! orders_parts || slurms_own="n1 n4 n7 n2"
    assert_equal "${lines[-2]}" "$slurms_own"
    assert_equal "${lines[-1]}" "n1 n4 n7 n2 n5 n8 n3 n6"
}

@test "a heterogeneous job and its steps are left" {
    run run_script --hora-batch=8 <<'SCRIPT'
#!/bin/sh
#SBATCH -N3 -n3 -w n1,n2,n4
#SBATCH hetjob
#SBATCH -N2 -n2 -w n3,n5
exec 2>/dev/null
srun --het-group=0,1 ./where | sort -n | cut -d' ' -f2 | paste -sd' '
srun ./where | sort -n | cut -d' ' -f2 | paste -sd' '
SCRIPT
    assert_equal "$output" "n1 n2 n4 n3 n5
n1 n2 n4"
}

@test "srun without a script, and in a shell of salloc" {
    run as_user srun -N3 -n3 -w n1,n2,n4 --hora-batch=8 ./where
    assert_equal "$status" 0
    slurms_own="n1 n2 n4"
    ! orders_parts || slurms_own="n1 n4 n2"
    assert_equal "$(grep '^[0-9]' <<<"$output" | nodes_of)" "$slurms_own"
    run as_user salloc -N3 -n3 -w n1,n2,n4 --hora-batch=8 srun ./where
    assert_equal "$(grep '^[0-9]' <<<"$output" | nodes_of)" "n1 n4 n2"
    run as_user salloc -N3 -n3 -w n1,n2,n4 srun ./where
    assert_equal "$(grep '^[0-9]' <<<"$output" | nodes_of)" "n1 n2 n4"
}

@test "a job that goes on without a lost node is left to Slurm" {
    cat >"$work/survivor" <<'SCRIPT'
#!/bin/sh
srun ./where >/dev/null
touch started
timeout 60 sh -c 'until test -e lost; do sleep 0.1; done'
srun -N2 -n2 ./where | sort -n | cut -d' ' -f2 | paste -sd' '
SCRIPT
    job=$(as_user sbatch --parsable -o "$work/%j.out" --no-kill -N3 -n3 -w n1,n2,n4 --hora-batch=4 "$work/survivor")
    wait_for test -e "$work/started"
    scontrol update NodeName=n4 State=DOWN Reason=test
    touch "$work/lost"
    wait_for_job "$job" COMPLETED,FAILED,CANCELLED,NODE_FAIL
    scontrol update NodeName=n4 State=RESUME
    assert_equal "$(tail -n 1 "$work/$job.out")" "n1 n2"
}

@test "a requeued job is ordered again" {
    cat >"$work/requeued" <<'SCRIPT'
#!/bin/sh
srun ./where | sort -n | cut -d' ' -f2 | paste -sd' ' >>rings
[ -n "$SLURM_RESTART_COUNT" ] || exec sleep 600
SCRIPT
    job=$(as_user sbatch --parsable -o /dev/null --requeue -N3 -n3 -w n1,n2,n4 --hora-batch=4 "$work/requeued")
    wait_for test -s "$work/rings"
    scontrol requeue "$job"
    wait_for_job "$job" PENDING
    # Slurm would have it wait for two minutes.
    scontrol update "JobId=$job" StartTime=now+1
    wait_for_job "$job" COMPLETED
    assert_equal "$(cat "$work/rings")" "n1 n4 n2
n1 n4 n2"
}

@test "with ring.place off Slurm's order stays" {
    printf '\n[ring]\nplace = false\n' >>"$HORA_CONF"
    run run_script -N3 -n3 -w n1,n2,n4 --hora-batch=8 <<'SCRIPT'
#!/bin/sh
srun ./where
SCRIPT
    sed -i '/^\[ring\]/,$d' "$HORA_CONF"
    assert_equal "$(nodes_of <<<"$output")" "n1 n2 n4"
}

@test "a site that only watches keeps Slurm's order" {
    sed -i 's/^mode = "act"/mode = "observe"/' "$HORA_CONF"
    grep -q '^mode = "observe"' "$HORA_CONF"
    run run_script -N3 -n3 -w n1,n2,n4 --hora-batch=8 <<'SCRIPT'
#!/bin/sh
srun ./where
SCRIPT
    sed -i 's/^mode = "observe"/mode = "act"/' "$HORA_CONF"
    assert_equal "$(nodes_of <<<"$output")" "n1 n2 n4"
}

@test "GPUs come in the order of the ring" {
    run run_script -N1 -n2 -w n1 --gres=gpu:4 --hora-batch=8 <<'SCRIPT'
#!/bin/sh
echo "script $CUDA_VISIBLE_DEVICES $HORA_RING"
# A step may find the GPUs of the one before it busy for a moment, and say so.
exec 2>/dev/null
srun ./devices | sort -n
srun -n1 --gres=gpu:2 ./devices
CUDA_VISIBLE_DEVICES=3 HORA_RING=mine srun -n1 ./devices
srun -n2 --gpu-bind=none sh -c 'echo "${CUDA_VISIBLE_DEVICES-none}"' | sort -u
SCRIPT
    assert_equal "${lines[0]}" "script 0,1,3,2 nodes=n1;gpus=0,1,3,2;bottleneck=6e+09"
    assert_equal "${lines[1]}" "0 0,1,3,2 nodes=n1;gpus=0,1,3,2;bottleneck=6e+09"
    assert_equal "${lines[2]}" "1 0,1,3,2 nodes=n1;gpus=0,1,3,2;bottleneck=6e+09"
    assert_equal "${lines[3]}" "0 0,1 nodes=n1;gpus=0,1;bottleneck=6e+09"
    # Slurm itself replaces what the script has set.
    assert_equal "${lines[4]}" "0 0,1,3,2 mine"
    # From 24.11 on (at the latest) such tasks see the GPUs of the step.
    unbound=none
    [[ ! $(slurm_release) > 23.10 ]] || unbound=0,1,3,2
    assert_equal "${lines[5]}" "$unbound"
}

@test "over several nodes the ring is a path in each, at the network's pace" {
    run run_script -N3 -n3 -w n1,n2,n4 --gres=gpu:4 --hora-batch=8 <<'SCRIPT'
#!/bin/sh
echo "script $HORA_RING"
srun ./devices | sort -n
SCRIPT
    assert_equal "${lines[0]}" "script gpus=0,2,1,3;bottleneck=1.25e+09"
    assert_equal "${lines[1]}" "0 0,2,1,3 nodes=n1,n4,n2;gpus=0,2,1,3;bottleneck=1.25e+09"
    # No topology is known of n4.
    assert_equal "${lines[2]}" "1 0,1,2,3 nodes=n1,n4,n2;gpus=0,1,2,3;bottleneck=1.25e+09"
    assert_equal "${lines[3]}" "2 0,2,1,3 nodes=n1,n4,n2;gpus=0,2,1,3;bottleneck=1.25e+09"
    run as_user srun -N1 -n1 -w n1 --gres=gpu:4 --hora-batch=8 ./devices
    assert_equal "$(grep nodes <<<"$output")" "0 0,1,3,2 nodes=n1;gpus=0,1,3,2;bottleneck=6e+09"
    run as_user srun -N1 -n1 -w n1 --gres=gpu:4 ./devices
    assert_equal "$(grep '^0' <<<"$output")" "0 0,1,2,3 "
}

@test "tasks sit near their GPUs, unless the user binds them" {
    [ "$(nproc)" -ge 2 ] || skip "one CPU"
    run run_script -N1 -n2 -w n2 --gres=gpu:2 --hora-batch=8 <<'SCRIPT'
#!/bin/sh
exec 2>/dev/null
srun ./devices | sort -n | cut -d' ' -f1,2
srun ./cpus | sort -n
srun --cpu-bind=cores ./cpus | sort -n
SLURM_CPU_BIND=cores srun ./cpus | sort -n
srun --cpu-bind=none ./cpus | sort -n
SCRIPT
    assert_equal "$(paste -sd, <<<"$output")" "0 0,2,1 0,2,0 1,1 0,0 0,1 1,0 0,1 1,0 0-1,1 0-1"
}

@test "isolated GPUs are left, and what that costs is said once" {
    run run_script -N1 -n2 -w n1 --gpus-per-task=1 --hora-batch=8 <<'SCRIPT'
#!/bin/sh
srun ./devices | sort -n
srun ./devices | sort -n
SCRIPT
    assert_equal "$(grep -c "each task sees only its own GPUs" <<<"$output")" 1
    assert_equal "$(grep -c "^0 0 nodes=n1;gpus=0$" <<<"$output")" 2
    assert_equal "$(grep -c "^1 2 nodes=n1;gpus=2$" <<<"$output")" 2
}

@test "a topology that cannot be read is logged once, and the job runs" {
    run run_script -N1 -n2 -w n3 --gres=gpu:4 --hora-batch=8 <<'SCRIPT'
#!/bin/sh
srun ./devices | sort -n
srun ./devices | sort -n
SCRIPT
    assert_equal "$(grep -c "n3.json.*; GPUs stay in Slurm's order" <<<"$output")" 1
    assert_equal "$(grep -c "^1 0,1,2,3 nodes=n3;gpus=0,1,2,3$" <<<"$output")" 2
}

@test "NCCL is given a topology file on virtual machines only, and never another" {
    expected=none
    ! grep -q '^flags.* hypervisor\b' /proc/cpuinfo || expected=$CLUSTER_DIR/etc/n1.xml
    : >"$CLUSTER_DIR/etc/n1.xml"
    printf '\n[nccl]\ntopo_file = "%s/etc/{node}.xml"\n' "$CLUSTER_DIR" >>"$HORA_CONF"
    run run_script -N2 -n2 -w n1,n2 --hora-batch=8 <<'SCRIPT'
#!/bin/sh
exec 2>/dev/null
srun sh -c 'echo "$SLURM_PROCID ${NCCL_TOPO_FILE-none}"' | sort -n
NCCL_TOPO_FILE=mine srun -n1 -N1 sh -c 'echo $NCCL_TOPO_FILE'
SCRIPT
    sed -i '/^\[nccl\]/,$d' "$HORA_CONF"
    assert_equal "$output" "0 $expected
1 none
mine"
}
