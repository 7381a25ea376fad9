#!/usr/bin/env bats
# Does a launcher get one task a node with all of the node's GPUs and CPUs, at every size, and what it
# needs to start the ranks?

load cluster
load controller
load elastic

setup_file() {
    elastic_up fcfs # a policy that resizes nothing: the tests do it
    start_horad
    write_programs
}
teardown_file() { cluster_down; }
setup() { cd "$work" || return 1; }
teardown() { clear_after_failure; }

# show NAME…: those variables of a task. trainer SIGNAL: keeps the contract on the first node, and
# starts no ranks; the file "end" ends it.
write_programs() {
    cat >"$work/show" <<'END'
#!/usr/bin/python3
import os, sys
print(" ".join(f"{name}={os.environ.get(name, '-')}" for name in sys.argv[1:]))
END
    cat >"$work/trainer" <<'END'
#!/usr/bin/python3
import json, os, pathlib, signal, sys, time

asked = []
signal.signal(getattr(signal, "SIG" + sys.argv[1]), lambda *_: asked.append(1))
is_first = os.environ["NODE_RANK"] == "0"
gpus = int(os.environ["NNODES"]) * int(os.environ["NPROC_PER_NODE"])
os.chdir(os.environ["HORA_CHECKPOINT_DIR"])
ready, kept = pathlib.Path("READY"), pathlib.Path("step")
step = int(kept.read_text()) if kept.exists() else 0
if is_first:
    ready.unlink(missing_ok=True)
signal.alarm(300)
while not pathlib.Path("end").exists():
    time.sleep(0.1)
    step += 1
    if not is_first:
        continue
    with open(os.environ["HORA_PROGRESS"], "a") as progress:
        print(json.dumps({"step": step, "epoch": 1, "samples": step * 64, "seconds": 8 / gpus}),
              file=progress)
    if asked:
        kept.write_text(f"{step}\n")
        new = pathlib.Path("READY.new")
        new.write_text(f"{step} {os.environ.get('SLURM_RESTART_COUNT', '0')}\n")
        new.rename(ready)
        while ready.exists():
            time.sleep(0.02)
        asked.clear()
END
    chmod 755 "$work/show" "$work/trainer"
}

model=(--hora-model=resnet50 --hora-batch=64 --hora-samples=64 --hora-epochs=100000)
no_rank="RANK=- WORLD_SIZE=- LOCAL_RANK=- LOCAL_WORLD_SIZE=- TF_CONFIG=- HORA_SHARE=-"

# bats test_tags=releases
@test "--hora-launch=node is one task on each node, with its GPUs and CPUs, and no rank" {
    job=$(submit_script -N2 "${model[@]}" --hora-gpus=4 --hora-launch=node <<'END'
#!/bin/bash
echo "script $SLURM_NTASKS ${RANK-no} ${SLURM_SPANK_HORA_LAUNCH-no}"
srun -Q ./show NNODES NODE_RANK NPROC_PER_NODE RANK WORLD_SIZE LOCAL_RANK LOCAL_WORLD_SIZE TF_CONFIG HORA_SHARE | sort
srun -Q ./show SLURM_PROCID SLURM_CPUS_ON_NODE MASTER_ADDR | sort
srun -Q ./show MASTER_PORT | sort -u | wc -l
END
    )
    wait_for_job "$job" COMPLETED
    run job_output "$job"
    assert_equal "$output" "script 2 no no
NNODES=2 NODE_RANK=0 NPROC_PER_NODE=2 $no_rank
NNODES=2 NODE_RANK=1 NPROC_PER_NODE=2 $no_rank
SLURM_PROCID=0 SLURM_CPUS_ON_NODE=4 MASTER_ADDR=n1
SLURM_PROCID=1 SLURM_CPUS_ON_NODE=4 MASTER_ADDR=n1
1"
    assert_equal "$(job_field "$job" NumCPUs)" 8
}

@test "--ntasks-per-node=1 says the same" {
    for options in --ntasks-per-node=1 "--ntasks-per-node=1 --hora-launch=node"; do
        # shellcheck disable=SC2086 # several options
        job=$(submit_script -N2 "${model[@]}" --hora-gpus=4 $options <<'END'
#!/bin/bash
srun ./show NNODES NPROC_PER_NODE RANK
END
        )
        wait_for_job "$job" COMPLETED
        assert_equal "$(job_output "$job")" "NNODES=2 NPROC_PER_NODE=2 RANK=-
NNODES=2 NPROC_PER_NODE=2 RANK=-"
    done
}

@test "what contradicts --hora-launch is refused, naming both" {
    run sbatch "${model[@]}" --hora-launch=node --ntasks-per-node=4 --wrap=true
    [ "$status" -ne 0 ]
    assert_contains "$output" "--ntasks-per-node=4 contradicts --hora-launch=node"
    run sbatch "${model[@]}" --hora-gpus=4 --hora-launch=task --ntasks-per-node=1 --wrap=true
    [ "$status" -ne 0 ]
    assert_contains "$output" "--ntasks-per-node=1 contradicts --hora-launch=task"
    run srun -n4 "${model[@]}" --hora-gpus=4 --hora-launch=node true
    [ "$status" -ne 0 ]
    assert_contains "$output" "-n4 contradicts --hora-launch=node"
}

@test "srun and salloc start a launcher on each node too" {
    run srun -N2 "${model[@]}" --hora-gpus=4 --hora-launch=node ./show NNODES NPROC_PER_NODE RANK
    assert_contains "$output" "NNODES=2 NPROC_PER_NODE=2 RANK=-"
    run salloc -N2 "${model[@]}" --hora-gpus=4 --ntasks-per-node=1 srun ./show NNODES NPROC_PER_NODE RANK
    assert_contains "$output" "NNODES=2 NPROC_PER_NODE=2 RANK=-"
}

@test "--hora-launch=task leaves a task with several GPUs a rank" {
    run srun -N1 "${model[@]}" --hora-gpus=2 --hora-launch=task ./show NPROC_PER_NODE RANK WORLD_SIZE
    assert_contains "$output" "NPROC_PER_NODE=- RANK=0 WORLD_SIZE=1"
}

@test "torchrun starts its ranks by what a launcher finds" {
    /usr/bin/python3 -c 'import torch' 2>/dev/null || skip "without python3-torch"
    cat >"$work/sum.py" <<'END'
import os, torch, torch.distributed as dist
dist.init_process_group("gloo")
one = torch.ones(1)
dist.all_reduce(one)
words = [os.environ[name] for name in ("RANK", "WORLD_SIZE", "LOCAL_RANK", "NODE_RANK")]
os.write(1, f"rank {' '.join(words)} {int(one)}\n".encode()) # whole: the ranks of a node share it
END
    # Debian 12's is older than its Python 3.11, whose flags no longer list their zero.
    cat >"$work/torchrun" <<'END'
#!/usr/bin/python3
from torch.distributed.elastic.multiprocessing import Std
Std.from_str = classmethod(lambda cls, text: cls.NONE)
from torch.distributed.run import main
main()
END
    chmod 755 "$work/torchrun"
    job=$(submit_script -N2 "${model[@]}" --hora-gpus=4 --hora-launch=node <<'END'
#!/bin/bash
export GLOO_SOCKET_IFNAME=lo
srun bash -c './torchrun --nnodes=$NNODES --node_rank=$NODE_RANK --nproc_per_node=$NPROC_PER_NODE \
    --master_addr=$MASTER_ADDR --master_port=$MASTER_PORT sum.py'
END
    )
    wait_for_job "$job" COMPLETED 120
    assert_equal "$(job_output "$job" | grep ^rank | sort)" "rank 0 4 0 0 4
rank 1 4 1 0 4
rank 2 4 0 1 4
rank 3 4 1 1 4"
}

# has_size JOB NODES GPUS-OF-NODE CPUS-OF-NODE
has_size() {
    job_is "$1" RUNNING && [ "$(job_field "$1" NumNodes)" = "$2" ] &&
        [ "$(job_field "$1" NumTasks)" = "$2" ] &&
        [ "$(job_field "$1" NumCPUs)" = $(($2 * $4)) ] &&
        [[ $(job_field "$1" TresPerNode) == *:"$3" ]]
}

# starts_as JOB LINE: the newest start of its tasks.
starts_as() { [ "$(job_output "$1" | grep -F "start $(job_field "$1" Restarts) " | sort -u)" = "$2" ]; }

# bats test_tags=releases
@test "a launcher that grows and shrinks keeps one task a node, and its CPUs follow" {
    job=$(submit_script --open-mode=append "${model[@]}" --hora-gpus=1-8 --hora-elastic \
        --hora-launch=node --hora-signal=USR2 <<'END'
#!/bin/bash
echo "$HORA_CHECKPOINT_DIR" >"$SLURM_JOB_ID.folder"
srun bash -c 'echo "start ${SLURM_RESTART_COUNT:-0} $(./show NNODES NPROC_PER_NODE SLURM_CPUS_ON_NODE SLURM_CPUS_PER_TASK RANK)"
    exec ./trainer USR2'
END
    )
    wait_for_job "$job" RUNNING
    wait_for has_reported "$job"
    hora resize "$job" 1 || true # it may have just that
    for size in 1:1:1:2 8:2:4:8 3:1:3:6 2:1:2:4; do
        IFS=: read -r gpus nodes of_node cpus <<<"$size"
        wait_for is_settled "$job"
        wait_for has_reported "$job"
        [ "$gpus" = 1 ] || resize "$job" "$gpus"
        wait_for -t 60 has_size "$job" "$nodes" "$of_node" "$cpus"
        wait_for starts_as "$job" "start $(job_field "$job" Restarts) NNODES=$nodes NPROC_PER_NODE=$of_node SLURM_CPUS_ON_NODE=$cpus SLURM_CPUS_PER_TASK=$cpus RANK=-"
        goes_on "$job"
    done
    touch "$(<"$work/$job.folder")/end"
    wait_for_job "$job" COMPLETED 60
    assert_nothing_left
}
