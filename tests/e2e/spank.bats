#!/usr/bin/env bats
# Are the options checked, and do scripts and tasks find what launchers need?

load cluster

setup_file() {
    echo "ScronParameters=enable" >"$BATS_FILE_TMPDIR/conf"
    cluster_up --settings "$BATS_TEST_DIRNAME/spank.toml" --conf "$BATS_FILE_TMPDIR/conf"
    cat >"$work/show" <<'END'
#!/bin/sh
# show NAME…: each variable as NAME=value, '-' where it is not set, on one line after the rank.
line=${SLURM_PROCID:-x}
for name; do
    line="$line $name=$(printenv "$name" || echo -)"
done
echo "$line"
END
    chmod 755 "$work/show"
}

teardown_file() { cluster_down; }

setup() {
    cd "$work" || return 1
    plugstack=$CLUSTER_DIR/etc/plugstack.conf
    use_plugin
}

# use_plugin [ARGUMENTS]: the plugin as the cluster came up with it, or with other arguments.
use_plugin() {
    echo "optional $CLUSTER_DIR/plugins/spank_hora.so settings=$HORA_CONF ${1:-helper=$CLUSTER_DIR/bin/hora-read-model} watcher=$CLUSTER_DIR/bin/hora-watch-job" >"$plugstack"
}

@test "help shows every option" {
    for command in sbatch salloc srun; do
        run "$command" --help
        for option in model=NAME batch=N samples=N epochs=N gpus=MIN dtype=TYPE mode=MODE \
            accepts=LIST objective=WHAT off; do
            assert_contains "$output" "--hora-$option"
        done
    done
}

# refuse OPTION VALUE MESSAGE: by each of the three commands, and from a line in the script.
refuse() {
    local expected="error: hora: --$1$3"$'\n' command
    for command in "sbatch --wrap true" "salloc true" "srun true"; do
        run as_user ${command%% *} "--$1=$2" ${command#* }
        assert_equal "$status" 255
        assert_contains "$output"$'\n' "$expected"
        assert_contains "$output" "Invalid --$1 argument: $2"
    done
    printf '#!/bin/sh\n#SBATCH --%s=%s\ntrue\n' "$1" "$2" >"$BATS_TEST_TMPDIR/script"
    chmod -R a+rX "$BATS_TEST_TMPDIR"
    run as_user sbatch <"$BATS_TEST_TMPDIR/script"
    assert_equal "$status" 255
    assert_contains "$output"$'\n' "$expected"
}

@test "refused values say what is wrong and what is allowed" {
    refuse hora-batch 12k ': "12k" is not a whole number; give 1 to 1000000000, e.g. --hora-batch=256'
    refuse hora-batch 0 ': "0" is out of range; give 1 to 1000000000, e.g. --hora-batch=256'
    refuse hora-samples -5 ': "-5" is not a whole number; give 1 to 1000000000000, e.g. --hora-samples=1281167'
    refuse hora-epochs 1.5 ': "1.5" is not a whole number; give 1 to 1000000, e.g. --hora-epochs=90'
    refuse hora-gpus 8-1 ': "8-1" ends below its start; give the smaller number first, e.g. --hora-gpus=1-8'
    refuse hora-dtype fp17 ': "fp17" is none of fp32, tf32, fp16, bf16, fp8; did you mean "fp16"?'
    refuse hora-mode parallel ': "parallel" is none of auto, sync, async, balanced, e.g. --hora-mode=auto'
    refuse hora-accepts sync ': "sync" is none of balanced, async, sampling, hierarchy; did you mean "async"?'
    refuse hora-objective money ': "money" is none of time, efficiency, e.g. --hora-objective=efficiency'
}

@test "a model that cannot be read ends the submission" {
    refuse hora-model resnet51 '=resnet51: unknown model "resnet51"; did you mean "resnet50"?'
    echo nonsense >"$work/broken.toml"
    run as_user sbatch --hora-model=./broken.toml --wrap true
    assert_equal "$status" 255
    assert_contains "$output" "error: hora: --hora-model=./broken.toml: "
    run as_user sbatch --hora-model=--help --wrap true
    assert_equal "$status" 255
}

# bats test_tags=releases
@test "scrontab says that it hands on no options" {
    command -v scrontab || skip "this Slurm has no scrontab"
    printf '#SCRON --hora-model=resnet50 --hora-batch=8\n@yearly true\n' >"$work/tab"
    run as_user scrontab "$work/tab"
    assert_equal "$status" 0
    assert_equal "$(grep -c "hora: scrontab hands on no options of plugins" <<<"$output")" 1
    [ -n "$(as_user squeue --noheader --me)" ]
    # What is not accepted is refused all the same.
    printf '#SCRON --hora-batch=no\n@yearly true\n' >"$work/tab"
    run as_user scrontab "$work/tab"
    [ "$status" -ne 0 ]
    assert_contains "$output" "hora-batch"
    as_user scrontab -r
}

@test "three nodes find each other" {
    run run_script -N3 -n3 --hora-model=resnet50 --hora-batch=10 <<'END'
#!/bin/sh
exec 2>/dev/null  # where a step has to wait for the one before
srun ./show MASTER_ADDR RANK WORLD_SIZE LOCAL_RANK LOCAL_WORLD_SIZE HORA_MODE HORA_BATCH HORA_SHARE | sort
srun ./show MASTER_PORT | cut -d' ' -f2 | sort -u | wc -l
srun sh -c 'test "$MASTER_ADDR" = "$(scontrol show hostnames $SLURM_STEP_NODELIST | head -n 1)" && getent hosts $MASTER_ADDR >/dev/null && echo found'
END
    assert_equal "$status" 0
    assert_equal "${lines[0]}" "0 MASTER_ADDR=n1 RANK=0 WORLD_SIZE=3 LOCAL_RANK=0 LOCAL_WORLD_SIZE=1 HORA_MODE=sync HORA_BATCH=10 HORA_SHARE=4"
    assert_equal "${lines[2]}" "2 MASTER_ADDR=n1 RANK=2 WORLD_SIZE=3 LOCAL_RANK=0 LOCAL_WORLD_SIZE=1 HORA_MODE=sync HORA_BATCH=10 HORA_SHARE=3"
    assert_equal "${lines[*]:3}" "1 found found found"
}

@test "a script has what holds for the job, and no rank" {
    run run_script -n2 --hora-batch=8 --hora-mode=async <<'END'
#!/bin/sh
./show HORA_BATCH HORA_MODE MASTER_ADDR RANK WORLD_SIZE TF_CONFIG HORA_SHARE
test -d "$HORA_CHECKPOINT_DIR" && stat -c '%a %U' "$HORA_CHECKPOINT_DIR"
test "$HORA_PROGRESS" = "$HORA_CHECKPOINT_DIR/progress.jsonl" && echo progress
END
    assert_equal "${lines[0]}" "0 HORA_BATCH=8 HORA_MODE=async MASTER_ADDR=n1 RANK=- WORLD_SIZE=- TF_CONFIG=- HORA_SHARE=-"
    assert_equal "${lines[*]:1}" "700 $tester progress"
}

@test "srun and salloc set up their tasks" {
    run as_user srun -n2 --hora-batch=5 ./show RANK WORLD_SIZE HORA_SHARE
    assert_equal "$(sort <<<"$output" | grep RANK)" "0 RANK=0 WORLD_SIZE=2 HORA_SHARE=3
1 RANK=1 WORLD_SIZE=2 HORA_SHARE=2"
    run as_user salloc -n2 --hora-batch=5 srun ./show RANK WORLD_SIZE HORA_SHARE
    assert_equal "$(grep RANK <<<"$output" | sort)" "0 RANK=0 WORLD_SIZE=2 HORA_SHARE=3
1 RANK=1 WORLD_SIZE=2 HORA_SHARE=2"
}

@test "nothing is lost by --export=NONE" {
    run run_script -n2 --export=NONE --hora-batch=5 <<'END'
#!/bin/sh
exec 2>/dev/null
./show HORA_BATCH
test -d "$HORA_CHECKPOINT_DIR" && echo folder
srun ./show HORA_BATCH HORA_SHARE RANK | sort
test "$(srun -n1 /usr/bin/printenv HORA_CHECKPOINT_DIR)" = "$HORA_CHECKPOINT_DIR" && echo same
END
    assert_equal "$output" "0 HORA_BATCH=5
folder
0 HORA_BATCH=5 HORA_SHARE=3 RANK=0
1 HORA_BATCH=5 HORA_SHARE=2 RANK=1
same"
    run as_user srun -n1 --export=NONE --hora-batch=5 "$work/show" HORA_BATCH RANK
    assert_equal "$(tail -n 1 <<<"$output")" "0 HORA_BATCH=5 RANK=0"
}

@test "tasks of an array have folders of their own" {
    job=$(as_user sbatch --parsable -o "$work/array-%a" -a 0-1 --hora-batch=4 --wrap '[ -d "$HORA_CHECKPOINT_DIR" ] && echo "$HORA_CHECKPOINT_DIR"')
    wait_for test -s "$work/array-0" -a -s "$work/array-1"
    [ "$(cat "$work/array-0")" != "$(cat "$work/array-1")" ]
}

@test "a step over the parts of a heterogeneous job is one" {
    run run_script --hora-batch=9 <<'END'
#!/bin/sh
#SBATCH -n2 -w n1
#SBATCH hetjob
#SBATCH -n1 -w n2
exec 2>/dev/null
srun --het-group=0,1 ./show RANK WORLD_SIZE HORA_SHARE MASTER_ADDR | sort
srun --het-group=0,1 printenv MASTER_PORT | sort -u | wc -l
srun --het-group=1 ./show RANK WORLD_SIZE MASTER_ADDR
END
    assert_equal "$output" "0 RANK=0 WORLD_SIZE=3 HORA_SHARE=3 MASTER_ADDR=n1
1 RANK=1 WORLD_SIZE=3 HORA_SHARE=3 MASTER_ADDR=n1
2 RANK=2 WORLD_SIZE=3 HORA_SHARE=3 MASTER_ADDR=n1
1
0 RANK=0 WORLD_SIZE=1 MASTER_ADDR=n2"
}

@test "two steps on one node use two ports" {
    run run_script -n2 -N1 --hora-batch=4 <<'END'
#!/bin/sh
srun --exact -n1 printenv MASTER_PORT >first &
srun --exact -n1 printenv MASTER_PORT >second &
wait
cat first second | sort -u | wc -l
END
    assert_equal "$output" 2
}

@test "a step on part of the nodes has its own first node" {
    run run_script -N2 -n2 -w n1,n2 --hora-batch=4 <<'END'
#!/bin/sh
srun -N1 -n1 -w n2 ./show MASTER_ADDR WORLD_SIZE HORA_SHARE
END
    assert_equal "$output" "0 MASTER_ADDR=n2 WORLD_SIZE=1 HORA_SHARE=4"
}

@test "a host file moves the first node" {
    run run_script -N3 -n3 -w n1,n2,n3 --hora-batch=4 <<'END'
#!/bin/sh
printf 'n3\nn1\nn2\n' >order
SLURM_HOSTFILE=order srun -n3 ./show MASTER_ADDR | sort
END
    assert_equal "${lines[0]}" "0 MASTER_ADDR=n3"
    assert_equal "${lines[2]}" "2 MASTER_ADDR=n3"
}

@test "nothing that the user has set is overridden" {
    run run_script -n1 --hora-batch=4 <<'END'
#!/bin/sh
export MASTER_ADDR=mine MASTER_PORT=1 RANK=7 WORLD_SIZE=9 LOCAL_RANK=5 LOCAL_WORLD_SIZE=6
export TF_CONFIG={} HORA_MODE=mine HORA_SHARE=2 HORA_BATCH=3 HORA_CHECKPOINT_DIR=/x HORA_PROGRESS=/y NCCL_SOCKET_IFNAME=z
srun ./show MASTER_ADDR MASTER_PORT RANK WORLD_SIZE LOCAL_RANK LOCAL_WORLD_SIZE TF_CONFIG HORA_MODE HORA_SHARE HORA_BATCH HORA_CHECKPOINT_DIR HORA_PROGRESS NCCL_SOCKET_IFNAME
END
    assert_equal "$output" "0 MASTER_ADDR=mine MASTER_PORT=1 RANK=7 WORLD_SIZE=9 LOCAL_RANK=5 LOCAL_WORLD_SIZE=6 TF_CONFIG={} HORA_MODE=mine HORA_SHARE=2 HORA_BATCH=3 HORA_CHECKPOINT_DIR=/x HORA_PROGRESS=/y NCCL_SOCKET_IFNAME=z"
}

@test "the site's interface is set where the user has none" {
    run as_user srun -n1 --hora-batch=4 ./show NCCL_SOCKET_IFNAME NCCL_IB_HCA
    assert_equal "$(tail -n 1 <<<"$output")" "0 NCCL_SOCKET_IFNAME=ib0 NCCL_IB_HCA=-"
}

@test "shares follow the types of GPU that the job was given" {
    run run_script -N2 -n2 -w n1,n4 --gres=gpu:1 --hora-batch=12 --hora-mode=balanced <<'END'
#!/bin/sh
srun ./show HORA_SHARE | sort
END
    assert_equal "$output" "0 HORA_SHARE=6
1 HORA_SHARE=6"
    export HORA_SPEEDS=titanx:2,tesla_k80:1
    run run_script -N2 -n2 -w n1,n4 --gres=gpu:1 --hora-batch=12 --hora-mode=balanced <<'END'
#!/bin/sh
srun ./show HORA_SHARE | sort
END
    assert_equal "$output" "0 HORA_SHARE=8
1 HORA_SHARE=4"
    run as_user srun -N2 -n2 -w n1,n4 --gres=gpu:1 --hora-batch=12 --hora-mode=balanced ./show HORA_SHARE
    assert_equal "$(grep SHARE <<<"$output" | sort)" "0 HORA_SHARE=8
1 HORA_SHARE=4"
}

@test "a requeued job finds its folder again" {
    cat >"$work/requeued" <<'END'
#!/bin/sh
echo "$HORA_CHECKPOINT_DIR" >>folders
[ -n "$SLURM_RESTART_COUNT" ] || sleep 600
END
    job=$(as_user sbatch --parsable -o /dev/null --requeue --hora-batch=4 "$work/requeued")
    wait_for test -s "$work/folders"
    first=$(job_field "$job" SubmitTime)
    wait_for sh -c "test \$(date +%s) -gt $(date -d "$first" +%s)"
    scontrol requeue "$job"
    wait_for_job "$job" PENDING
    # Slurm would have it wait for two minutes.
    scontrol update "JobId=$job" StartTime=now+1
    wait_for_job "$job" COMPLETED
    [ "$(job_field "$job" SubmitTime)" != "$first" ]
    assert_equal "$(sort -u "$work/folders" | wc -l)" 1
    assert_equal "$(wc -l <"$work/folders")" 2
}

@test "a job without options, or with --hora-off, is left alone" {
    for option in --comment=plain --hora-off; do
        run run_script -n1 "$option" <<'END'
#!/bin/sh
env | grep -E '^(HORA_(BATCH|MODE|SHARE|CHECK|PROG)|MASTER_|RANK|WORLD|LOCAL_|TF_CONFIG|SLURM_SPANK_HORA)'
srun env | grep -E '^(HORA_(BATCH|MODE|SHARE|CHECK|PROG)|MASTER_|RANK|WORLD|LOCAL_|TF_CONFIG|SLURM_SPANK_HORA)'
echo end
END
        assert_equal "$output" end
    done
}

@test "a job that a job submits takes nothing from it" {
    run run_script -n1 --hora-batch=4 <<'END'
#!/bin/sh
sbatch --wait -o inner --wrap 'env | grep -cE "^(HORA_(BATCH|CHECK)|MASTER_|SLURM_SPANK)"'
cat inner
END
    assert_equal "${lines[1]}" 0
}

@test "a job that a restarted job submits is in its first start" {
    run run_script -n1 --hora-batch=4 <<'END'
#!/bin/sh
export SLURM_RESTART_COUNT=2 # as slurmd does in a third start
for option in --hora-batch=4 --comment=plain; do
    sbatch --wait -o inner "$option" --wrap 'printenv SLURM_RESTART_COUNT || echo none' >/dev/null
    cat inner
done
END
    assert_equal "$output" "none
2"
}

@test "without the helper a job goes through without a plan" {
    use_plugin helper=/nonexistent/reader
    run as_user srun -n1 --hora-model=resnet50 --hora-batch=4 ./show HORA_BATCH RANK
    assert_equal "$status" 0
    assert_contains "$output" 'hora: cannot start "/nonexistent/reader": No such file or directory; the job goes on without a plan'
    assert_contains "$output" "0 HORA_BATCH=4 RANK=0"
}

@test "broken settings are named, and the defaults hold" {
    echo 'checkpoint = "?"' >"$work/broken-hora.toml"
    echo "optional $CLUSTER_DIR/plugins/spank_hora.so settings=$work/broken-hora.toml" >"$plugstack"
    run as_user srun -n1 --hora-batch=4 ./show HORA_BATCH RANK
    assert_equal "$status" 0
    assert_contains "$output" "0 HORA_BATCH=4 RANK=0"
    run as_user srun -n1 ./show HORA_BATCH
    assert_equal "$(grep -v 'queued\|allocated' <<<"$output")" "0 HORA_BATCH=-"
}

@test "with Hora out of plugstack.conf plain jobs run" {
    : >"$plugstack"
    run as_user srun -n1 ./show HORA_BATCH RANK
    assert_equal "$(tail -n 1 <<<"$output")" "0 HORA_BATCH=- RANK=-"
    run as_user sbatch --hora-batch=4 --wrap true
    assert_contains "$output" "unrecognized option '--hora-batch=4'"
    echo "optional /nonexistent/spank_hora.so" >"$plugstack"
    run as_user srun -n1 ./show RANK
    assert_equal "$(tail -n 1 <<<"$output")" "0 RANK=-"
}

@test "the stub accepts every option of a removed Hora, ignores it and says so" {
    echo "optional $CLUSTER_DIR/plugins/spank_hora.so stub" >"$plugstack"
    run as_user srun -n1 --hora-model=gone.onnx --hora-batch=4 --hora-elastic ./show HORA_BATCH RANK
    assert_equal "$status" 0
    assert_contains "$output" "hora: this cluster runs without Hora: --hora-elastic and the like are ignored; specify GPUs with --gpus or --gres"
    assert_equal "$(tail -n 1 <<<"$output")" "0 HORA_BATCH=- RANK=-"
    run run_script -n1 --hora-batch=4 <<'END'
#!/bin/sh
#SBATCH --hora-gpus=1-8
srun ./show HORA_BATCH
END
    assert_contains "$output" "0 HORA_BATCH=-"
    run as_user srun -n1 ./show HORA_BATCH
    [[ $output != *hora:* ]]
}

@test "the plugin loads neither ONNX, hwloc nor SQLite" {
    run ldd "$CLUSTER_DIR/plugins/spank_hora.so"
    assert_equal "$(grep -ciE 'onnx|protobuf|hwloc|sqlite|slurm' <<<"$output" || true)" 0
}
