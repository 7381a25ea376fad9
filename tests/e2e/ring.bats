#!/usr/bin/env bats
# Do ranks, GPUs and CPUs follow the ring on a real cluster?

load cluster

setup_file() {
    cluster_up --nodes "$BATS_TEST_DIRNAME/ring.toml"
    cat >"$work/where" <<'SCRIPT'
#!/bin/sh
echo "$SLURM_PROCID $SLURMD_NODENAME"
SCRIPT
    chmod 755 "$work/where"
}

teardown_file() { cluster_down; }

setup() { cd "$work" || return 1; }

# run_script [SBATCH OPTION…] <<END: what the script printed, once it has ended.
run_script() {
    local job
    job=$(as_user bash -c "$(declare -f submit submit_script); work=$work submit_script \"\$@\"" bash "$@") || return 1
    wait_for_job "$job" COMPLETED,FAILED,CANCELLED >&2 || return 1
    job_output "$job"
}

# How often a ring over nodes (one a line, in rank order) goes from one leaf to another.
count_crossings() {
    awk '{ leaf = ($1 == "n3" || $1 == "n6") ? 3 : (substr($1, 2) + 2) % 3 + 1
           if (NR == 1) first = leaf; else if (leaf != last) crossings++
           last = leaf }
         END { print crossings + (last != first) }'
}

# nodes_of < "RANK NODE" lines: the nodes in rank order, on one line.
nodes_of() {
    sort -n | cut -d' ' -f2 | uniq | paste -sd' '
}

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

@test "every srun of a script is ordered for its own nodes and tasks" {
    run run_script -N8 -n16 --ntasks-per-node=2 --hora-batch=8 <<'SCRIPT'
#!/bin/sh
line() { sort -n | cut -d' ' -f2 | paste -sd' '; }
srun -N2 -n4 ./where | line
srun -n16 -l ./where | sed 's/^ *[0-9]*: //' | line
srun -N4 --ntasks-per-node=2 -n8 ./where | line
srun -N3 -n3 ./where 2>/dev/null | line
srun sh -c 'echo "${SLURM_HOSTFILE-no} ${SLURM_DISTRIBUTION-no} ${SLURM_SPANK_HORA_RANKS-no}"' | sort -u
srun sh -c 'test "$SLURM_PROCID" = 15 && echo "$MASTER_ADDR $SLURMD_NODENAME"; true'
SCRIPT
    assert_equal "${lines[0]}" "n1 n1 n4 n4"
    assert_equal "${lines[1]}" "n1 n1 n4 n4 n7 n7 n2 n2 n5 n5 n8 n8 n3 n3 n6 n6"
    assert_equal "${lines[2]}" "n1 n1 n4 n4 n7 n7 n2 n2"
    assert_equal "${lines[3]}" "n1 n4 n7"
    # Nothing of the host file reaches the tasks.
    assert_equal "${lines[4]}" "no no no"
    assert_equal "${lines[5]}" "n1 n6"
}

@test "what the user shapes is left" {
    run run_script -N8 -n8 --hora-batch=8 <<'SCRIPT'
#!/bin/sh
line() { sort -n | cut -d' ' -f2 | paste -sd' '; }
srun -m cyclic ./where | line
SLURM_DISTRIBUTION=cyclic srun ./where | line
srun -n2 -N2 -w n2,n4 ./where | line
printf 'n8\nn1\n' >order
SLURM_HOSTFILE=order srun -n2 ./where 2>/dev/null | line
srun --hora-off ./where | line
srun -n9 --overcommit ./where | line
SCRIPT
    assert_equal "${lines[0]}" "n1 n2 n3 n4 n5 n6 n7 n8"
    assert_equal "${lines[1]}" "n1 n2 n3 n4 n5 n6 n7 n8"
    assert_equal "${lines[2]}" "n2 n4"
    assert_equal "${lines[3]}" "n8 n1"
    assert_equal "${lines[4]}" "n1 n2 n3 n4 n5 n6 n7 n8"
    assert_equal "${lines[5]}" "n1 n1 n2 n3 n4 n5 n6 n7 n8"
}

@test "steps side by side do not wait for each other's nodes" {
    run run_script -N8 -n8 --hora-batch=8 <<'SCRIPT'
#!/bin/bash
# Each ends only when the other has come.
meet() { srun -N4 -n4 --exact sh -c "touch met-$1; until test -e met-$2; do sleep 0.1; done"; }
meet a b &
meet b a &
wait
srun -N4 -n4 ./where | sort -n | cut -d' ' -f2 | paste -sd' '
rm met-a met-b
srun ./where >whole &
wait
sort -n whole | cut -d' ' -f2 | paste -sd' '
SCRIPT
    assert_equal "${lines[-2]}" "n1 n4 n7 n2"
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
    assert_equal "$(grep '^[0-9]' <<<"$output" | nodes_of)" "n1 n2 n4"
    run as_user salloc -N3 -n3 -w n1,n2,n4 --hora-batch=8 srun ./where
    assert_equal "$(grep '^[0-9]' <<<"$output" | nodes_of)" "n1 n4 n2"
    run as_user salloc -N3 -n3 -w n1,n2,n4 srun ./where
    assert_equal "$(grep '^[0-9]' <<<"$output" | nodes_of)" "n1 n2 n4"
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
