#!/usr/bin/env bats
# Does Hora come onto a site's cluster, do its work there and go again, by README.md to the letter?
#
# The tests are the steps of its section "On your own cluster", in that order and on one machine:
# each goes on where the one before has ended; those of horad are of the section after it. What
# README says to type or to write is looked up there.

load cluster
load machine

setup_file() {
    HORA_BUILD=$(cd "${HORA_BUILD:-$root/build}" && pwd)
    readme=$(sed -n '/^## On your own cluster/,/^## What a user can say/p' "$root/README.md")
    export readme HORA_BUILD
    machine_up
    site_up
}
setup() { skip_without_machine; }
teardown_file() { machine_down; }

alice() { inside -u alice "$@"; }

# readme_says TEXT: in one line and between backticks.
readme_says() {
    grep -qF -- "\`$1\`" <<<"$(tr '\n' ' ' <<<"$readme" | tr -s ' ')" || {
        echo "README.md does not say: $1"
        return 1
    }
}

# append LINE FILE: as README says.
append() {
    readme_says "$1" && add_to "$2" <<<"$1"
}

place_units() {
    inside "cp $root/contrib/slurm/{horad.service,hora-snapshot.service,hora-snapshot.timer} \
        /etc/systemd/system/ && systemctl daemon-reload"
}

restart_slurmctld() {
    inside systemctl restart slurmctld
    wait_for inside 'scontrol ping | grep "is UP"'
    wait_for nodes_are_idle
}

use_mode() {
    readme_says "mode = \"$1\""
    inside "sed -i 's/^mode = .*/mode = \"$1\"/' /etc/hora/hora.toml && systemctl reload horad"
}

# field JOB NAME: as `scontrol show job` prints it.
field() {
    inside scontrol --oneliner show job "$1" | tr ' ' '\n' | sed -n "s/^$2=//p" | head -n 1
}
state_is() { [ "$(field "$1" JobState)" = "$2" ]; }
has_tasks() { state_is "$1" RUNNING && [ "$(field "$1" NumTasks)" = "$2" ]; }

# A job that prints which of the four GPUs it may open; there need not be a driver behind them.
write_jobs() {
    add_to /home/alice/plain <<'END'
#!/bin/bash
for gpu in /dev/nvidia[0-3]; do
    : <"$gpu"
done 2>&1 | grep -c "not permitted" | sed 's/^/refused GPUs: /'
END
    add_to /home/alice/train <<'END'
#!/bin/bash
#SBATCH --hora-model=resnet50 --hora-batch=64 --hora-gpus=1-2
#SBATCH --hora-samples=64000 --hora-epochs=10
srun --ntasks=1 bash /home/alice/plain
END
    inside "install -m 755 $root/tests/e2e/pretender.py /usr/local/bin/pretender.py"
    add_to /home/alice/elastic <<'END'
#!/bin/bash
#SBATCH --hora-model=resnet50 --hora-batch=64 --hora-gpus=1-4 --hora-elastic
#SBATCH --hora-samples=64 --hora-epochs=100000 --open-mode=append
srun --ntasks=1 --nodes=1 pretender.py 100000 "$SLURM_NTASKS" /etc/hostname
END
}

# submitted ARGUMENT…: $output is what sbatch says to alice, and $job its number.
submitted() {
    run alice "sbatch --output=%j.out $*"
    assert_equal "$status" 0
    job=$(sed -n 's/^Submitted batch job //p' <<<"$output")
}

# prints JOB TEXT: it ends well, and its output has this.
prints() {
    wait_for state_is "$1" COMPLETED
    assert_contains "$(alice cat "$1.out")" "$2"
}

@test "before: a plain job has its GPUs and no others" {
    write_jobs
    submitted --gres=gpu:1 plain
    prints "$job" "refused GPUs: 3"
}

@test "configure, make, make install" {
    line=$(sed -n 's/^    autoreconf -i && //p' <<<"$readme")
    assert_equal "${line%% *}" ./configure
    # In a folder that has been built in, with the options of that build.
    inside "cd $HORA_BUILD && eval '$root/configure' \$(./config.status --config) ${line#* }" \
        >"$BATS_FILE_TMPDIR/install.log" 2>&1 || {
        tail -n 30 "$BATS_FILE_TMPDIR/install.log"
        return 1
    }
    assert_contains "$(inside hora --version)" hora
    assert_equal "$(alice command -v hora horad | xargs)" "/usr/local/bin/hora /usr/local/sbin/horad"
    inside man --where hora horad spank_hora job_submit_hora hora.toml
}

@test "1: settings of the site" {
    readme_says contrib/slurm/hora.toml
    readme_says "hora config check"
    inside "install -D --mode=644 $root/contrib/slurm/hora.toml /etc/hora/hora.toml"
    run inside hora config check
    assert_equal "$status" 0
    readme_says 'mode = "observe"'
    assert_contains "$(alice hora config show)" observe
}

@test "2: what gres.conf and the tasks are to know of a node" {
    readme_says "hora topology --local"
    readme_says "hora topology --local --json > /etc/hora/topology.json"
    inside hora topology --local
    inside 'hora topology --local --json > /etc/hora/topology.json'
    alice jq -e .version /etc/hora/topology.json
}

@test "3: the snapshot, by the timer" {
    place_units
    run inside systemd-analyze verify \
        /etc/systemd/system/{horad.service,hora-snapshot.{service,timer}}
    assert_equal "$output" ""
    assert_equal "$status" 0
    inside systemctl enable --now --quiet hora-snapshot.timer
    wait_for inside hora cluster show --from /var/lib/hora/snapshot.json
    assert_equal "$(inside systemctl show --property=Result --value hora-snapshot.service)" success
}

@test "3: the snapshot, by horad, which takes the timer's place" {
    inside 'systemctl disable --quiet hora-snapshot.timer; rm /var/lib/hora/snapshot.json
        systemctl enable --now --quiet horad'
    readme_says "hora cluster show --from /var/lib/hora/snapshot.json"
    wait_for inside hora cluster show --from /var/lib/hora/snapshot.json
    assert_equal "$(inside systemctl is-active horad hora-snapshot.timer | xargs)" "active inactive"
    # slurmctld is the user slurm, and has to read it.
    inside -u slurm test -r /var/lib/hora/snapshot.json
}

@test "4, 5: the plugins, and a plain job as before" {
    append "optional spank_hora.so" /etc/slurm/plugstack.conf
    append JobSubmitPlugins=hora /etc/slurm/slurm.conf
    restart_slurmctld
    assert_contains "$(inside ps -o user= -C slurmctld)" slurm
    submitted --gres=gpu:1 plain
    assert_equal "$output" "Submitted batch job $job"
    prints "$job" "refused GPUs: 3"
}

# controller_says TEXT
controller_says() { inside grep -F "'$1'" /var/log/slurm/slurmctld.log; }

@test "6: observe: the request is unchanged, slurmctld's log has the plan" {
    wait_for controller_says "hora: snapshot loaded (4 nodes)"
    submitted --gres=gpu:1 train
    assert_equal "$output" "Submitted batch job $job"
    prints "$job" "refused GPUs: 3"
    controller_says 'hora: observe: job "train" in partition "gpu": 1 x titanx'
}

@test "6: advise: the user sees the plan, the request is unchanged" {
    use_mode advise
    advised() {
        submitted --gres=gpu:1 train
        [[ $output == *"hora: "*titanx* ]]
    }
    wait_for advised
    assert_equal "$(field "$job" NumTasks)" 1
    prints "$job" "refused GPUs: 3"
}

@test "6: act: the request is rewritten, the job runs with its GPUs" {
    use_mode act
    acted() {
        submitted train
        [ "$(field "$job" NumTasks)" = 2 ]
    }
    wait_for acted
    assert_contains "$output" "hora: 2 x titanx"
    prints "$job" "refused GPUs: 2"
    explained=$(alice hora explain "$job")
    assert_contains "$explained" "request     act: rewritten"
}

@test "act: no plan goes beyond a QOS" {
    submitted --qos=small --hora-gpus=1-4 train
    assert_equal "$(field "$job" NumTasks)" 2
    wait_for state_is "$job" COMPLETED
}

all_gpus_are_idle() { alice hora status --json | jq -e '.idle == 16'; }

# resize_a_job MODEL: an elastic job of alice's goes from 4 GPUs to 2, and says so. What it measures
# counts for her later jobs of that model.
resize_a_job() {
    submitted --hora-model="$1" elastic
    wait_for has_tasks "$job" 4
    reported() { alice hora status --json | jq -e ".jobs[] | select(.id == $job) | .step_seconds"; }
    wait_for reported
    inside hora resize "$job" 2
    wait_for -t 120 has_tasks "$job" 2
    resized() { [[ $(alice hora explain "$job") == *"4 -> 2 GPUs, done"* ]]; }
    wait_for resized
    assert_contains "$(alice hora status)" "$job  alice  elastic"
    alice scancel "$job"
    wait_for nodes_are_idle
}

# refute_logged TEXT: by horad, ever.
refute_logged() { ! inside journalctl --quiet --unit=horad | grep -F "$1"; }

# is_at_ease USER: horad runs as this user with CAP_SETGID and CAP_SETUID, and has missed nothing.
is_at_ease() {
    pid=$(inside systemctl show --property=MainPID --value horad)
    assert_equal "$(inside ps -o user= -p "$pid")" "$1"
    assert_equal "$(inside "sed -n 's/^CapEff:\t0*//p' /proc/$pid/status")" c0
    assert_equal "$(inside systemctl show --property=NRestarts --value horad)" 0
    assert_equal "$(inside journalctl --quiet --unit=horad --priority=err)" ""
    refute_logged "run horad as"
}

@test "horad resizes a job as its unit lets it" {
    inside "cp $root/contrib/slurm/tuned.conf /etc/slurm/
        echo include tuned.conf >>/etc/slurm/slurm.conf"
    restart_slurmctld
    resize_a_job resnet101
}

@test "horad has two capabilities, and has missed none" {
    is_at_ease root
}

@test "horad as SlurmUser does the same" {
    readme_says contrib/slurm/horad-slurm-user.conf
    wait_for all_gpus_are_idle
    inside "install -D --mode=644 -t /etc/systemd/system/horad.service.d \
        $root/contrib/slurm/horad-slurm-user.conf
        systemctl daemon-reload && systemctl restart horad"
    assert_equal "$(inside stat --format=%U /var/lib/hora/history.db)" slurm
    assert_equal "$(inside stat --format=%U /var/lib/hora/snapshot.json)" slurm
    submitted train
    assert_equal "$(field "$job" NumTasks)" 2
    assert_contains "$(field "$job" AdminComment)" hora=
    wait_for state_is "$job" COMPLETED
    resize_a_job inception-v3
    is_at_ease slurm
}

@test "taken out, in README's order: what is queued keeps its request" {
    wait_for all_gpus_are_idle
    submitted --begin=now+1hour train
    echo "$job" >"$BATS_FILE_TMPDIR/queued"
    assert_equal "$(field "$job" NumTasks)" 2
    inside "sed -i '/^JobSubmitPlugins=hora$/d' /etc/slurm/slurm.conf"
    restart_slurmctld
    inside "sed -i '/^optional spank_hora.so$/d' /etc/slurm/plugstack.conf"
    readme_says "systemctl disable --now"
    inside systemctl disable --now --quiet horad
    readme_says "make uninstall"
    inside "cd $HORA_BUILD && make uninstall" >"$BATS_FILE_TMPDIR/uninstall.log" 2>&1
    assert_equal "$(inside "find /usr/local /usr/lib/*/slurm* -iname '*hora*' ! -type d")" ""
    assert_equal "$(field "$job" NumTasks)" 2
}

@test "without Hora: a plain job runs, and a queued one on the GPUs of its plan" {
    submitted --gres=gpu:1 plain
    prints "$job" "refused GPUs: 3"
    queued=$(<"$BATS_FILE_TMPDIR/queued")
    inside scontrol update JobId="$queued" StartTime=now
    prints "$queued" "refused GPUs: 2"
}

@test "without Hora: scripts with its options are refused, and run with the stub" {
    run alice sbatch --gres=gpu:1 train
    [ "$status" -ne 0 ]
    assert_contains "$output" "unrecognized option"
    readme_says "make install-stub"
    inside "cd $HORA_BUILD && make install-stub" >"$BATS_FILE_TMPDIR/stub.log" 2>&1
    append "optional spank_hora.so stub" /etc/slurm/plugstack.conf
    submitted --gres=gpu:1 train
    prints "$job" "refused GPUs: 3"
}
