# What a test needs that installs Hora as a site does: a machine with systemd, and on it the Slurm of
# Debian's packages and units before anybody has heard of Hora.
#
#   load cluster
#   load machine
#   setup_file() { machine_up; site_up; }
#   setup() { skip_without_machine; }
#   teardown_file() { machine_down; }

# A machine that ends with this test, however that ends.
machine_up() {
    why_not=$("$root/scripts/dev/machine" can 2>&1) || true
    export why_not
    [ -z "$why_not" ] || return 0
    MACHINE_DIR=$(mktemp -d "${HORA_E2E_PREFIX:-/tmp/hora-e2e}.XXXXXX")
    export MACHINE_DIR
    setpriv --pdeathsig TERM "$root/scripts/dev/machine" boot "$MACHINE_DIR" </dev/null \
        >"$BATS_FILE_TMPDIR/machine.log" 2>&1 3>&- &
    wait_for test -s "$MACHINE_DIR/pid"
    wait_for has_booted
    sed -n 's/^machine: booting/# &/p' "$BATS_FILE_TMPDIR/machine.log" >&3
}

# A whole file cannot be skipped: bats takes that for a failure of setup_file.
skip_without_machine() {
    [ -z "$why_not" ] || skip "$why_not"
}

machine_down() {
    [ -z "${MACHINE_DIR:-}" ] || "$root/scripts/dev/machine" down "$MACHINE_DIR"
}

# inside [-u USER] COMMAND…: a shell command on that machine.
inside() {
    "$root/scripts/dev/machine" run "$MACHINE_DIR" "$@" 3>&-
}

# Units that fail are none of ours to judge: it is a copy of whatever machine this is.
has_booted() {
    [[ $(inside systemctl is-system-running) =~ running|degraded ]]
}

# add_to FILE: what comes on stdin, below what is there.
add_to() {
    inside "mkdir -p ${1%/*} && cat >>$1"
}

# Four nodes of four GPUs. slurmctld is the user slurm once it runs, and so is the owner of its
# folders: Debian's packages made those.
write_slurm_conf() {
    add_to /etc/slurm/slurm.conf <<'END'
ClusterName=site
SlurmctldHost=head
SlurmUser=slurm
AuthType=auth/munge
StateSaveLocation=/var/lib/slurm/slurmctld
SlurmdSpoolDir=/var/lib/slurm/slurmd/%n
SlurmctldPidFile=/run/slurmctld.pid
SlurmdPidFile=/run/slurmd-%n.pid
SlurmctldLogFile=/var/log/slurm/slurmctld.log
SlurmdLogFile=/var/log/slurm/slurmd-%n.log
TmpFS=/tmp/%n
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
ProctrackType=proctrack/cgroup
TaskPlugin=task/cgroup,task/affinity
TaskPluginParam=none
GresTypes=gpu
ReturnToService=2
MpiDefault=none
MailProg=/bin/true
AccountingStorageType=accounting_storage/slurmdbd
AccountingStorageHost=head
AccountingStorageTRES=gres/gpu
AccountingStorageEnforce=associations,limits,qos
SlurmdParameters=config_overrides
NodeName=n[1-4] NodeHostname=head NodeAddr=head Port=[17001-17004] CPUs=8 Boards=1 SocketsPerBoard=2 CoresPerSocket=4 ThreadsPerCore=1 RealMemory=1000 Gres=gpu:titanx:4 Feature=titanx
PartitionName=gpu Nodes=n[1-4] Default=YES MaxTime=INFINITE State=UP
PartitionName=debug Nodes=n4 MaxTime=30 State=UP
END
    add_to /etc/slurm/gres.conf <<'END'
NodeName=n[1-4] Name=gpu Type=titanx File=/dev/nvidia[0-1] Cores=0-3
NodeName=n[1-4] Name=gpu Type=titanx File=/dev/nvidia[2-3] Cores=4-7
END
    # No ConstrainCores: the nodes have more CPUs than the machine.
    add_to /etc/slurm/cgroup.conf <<'END'
ConstrainDevices=yes
END
}

write_slurmdbd_conf() {
    inside 'install -o slurm -g slurm -m 600 /dev/null /etc/slurm/slurmdbd.conf'
    add_to /etc/slurm/slurmdbd.conf <<'END'
AuthType=auth/munge
DbdHost=head
SlurmUser=slurm
LogFile=/var/log/slurm/slurmdbd.log
PidFile=/run/slurmdbd.pid
StorageType=accounting_storage/mysql
StorageHost=localhost
StorageLoc=slurm_acct_db
StorageUser=slurm
END
}

# Debian's unit, once for each of several nodes on one host.
write_node_units() {
    inside 'sed "s|-D -s|-D -s -N %i|; s|^PIDFile=.*|PIDFile=/run/slurmd-%i.pid|" \
        /lib/systemd/system/slurmd.service >/etc/systemd/system/slurmd@.service
        for node in n1 n2 n3 n4; do
            install -d "/var/lib/slurm/slurmd/$node"
            install -d -m 1777 "/tmp/$node"
        done
        systemctl mask --quiet slurmd.service
        systemctl daemon-reload'
    add_to /etc/hosts <<<'192.0.2.1 n1 n2 n3 n4'
}

start_accounting() {
    inside 'systemctl start mariadb && mariadb --execute "
            create user slurm@localhost identified via unix_socket;
            grant all on slurm_acct_db.* to slurm@localhost" && systemctl restart slurmdbd'
    wait_for inside sacctmgr --noheader show cluster
    inside 'useradd --create-home --shell /bin/bash alice
        useradd --create-home --shell /bin/bash bob
        sacctmgr --immediate --quiet add cluster site
        sacctmgr --immediate --quiet add account lab
        sacctmgr --immediate --quiet add user root,alice,bob account=lab' >/dev/null
}

# Once the database has slurmctld's GPUs.
add_limits() {
    wait_for inside 'sacctmgr --noheader show tres | grep gres'
    inside 'sacctmgr --immediate --quiet add qos small set MaxTRESPerUser=gres/gpu=2
        sacctmgr --immediate --quiet modify user where name=alice,bob set qos=normal,small' >/dev/null
}

site_up() {
    [ -z "$why_not" ] || return 0
    write_slurm_conf
    write_slurmdbd_conf
    write_node_units
    inside systemctl restart munge
    start_accounting
    inside systemctl restart slurmctld
    wait_for inside 'scontrol ping | grep "is UP"'
    add_limits
    inside systemctl start slurmd@n1 slurmd@n2 slurmd@n3 slurmd@n4
    wait_for nodes_are_idle
}

nodes_are_idle() {
    [ "$(inside sinfo --noheader --Node --partition=gpu --format=%T | sort | uniq -c | xargs)" = "4 idle" ]
}

# What a failed test shows.
print_logs() {
    inside 'squeue --all --states=all --Format=JobID:8,State:14,Reason:22,exit_code:10,NodeList | tail
        sinfo --Node
        systemctl --failed --no-legend
        journalctl --no-pager --lines=30 --unit=horad --unit="hora-*"
        for log in /home/*/*.out /var/log/slurm/*.log; do
            [ ! -s "$log" ] || tail -n 30 "$log" | sed "s|^|${log##*/}: |"
        done' 2>&1
}
