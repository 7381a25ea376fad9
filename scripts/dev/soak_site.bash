# The cluster of `scripts/soak site`, `hostile`, `kill` and `rescales`: nodes, three users, a QOS
# with a limit, a partition inside another one, cgroups where the machine has version 1 of them.
# Sourced by soak; uses its `root` and `logs`.

# As often as can be, or such that horad's own policy has its turn.
cooldown_of() {
    [ "$1" = rescales ] && echo "1 s" || echo "5 s"
}

site_settings() {
    cat "$root/scripts/dev/hora.toml" - <<END
[horad]
state = "@DIR@/state/hora"
port = @PORT@
interval = "1 s"

[history]
path = "@DIR@/state/hora/history.db"

[elastic]
cooldown = "$(cooldown_of "$1")"
fallback = "10 s"
ready_timeout = "20 s"
END
}

# No ended job is forgotten while a round is looked at. The cgroups of a job are named after its node
# and its number, which another private cluster of this machine would have as well. Where an owner is
# hostile the own priority of a job is the same whenever it is asked for: that of its QOS.
site_slurm_conf() {
    cat <<END
PartitionName=inner Nodes=n10 MaxTime=INFINITE State=UP
MinJobAge=3600
FirstJobId=$(($$ % 60000 * 1000 + 1))
END
    [ "$1" != hostile ] || cat <<'END'
PriorityType=priority/multifactor
PriorityWeightQOS=10000
END
}

site_users() {
    local user
    db() { in_site sacctmgr --immediate --quiet "$@" >/dev/null; }
    db add qos tight set MaxTRESPerUser=gres/gpu=4
    db add qos first set Priority=10
    for user in games mail news; do
        db add user "$user" account=main || true # the cluster may have it already
        db modify user where name="$user" set qos=normal,tight
        [ "$user" = games ] || db modify user where name="$user" set qos+=first
    done
}

in_site() {
    "$root/scripts/devcluster" run --dir "$site" "$@"
}

# site_up BUILD WHAT
site_up() {
    local nodes=$root/scripts/dev/soak_site.toml
    [ "$2" != rescales ] || nodes=$root/scripts/dev/soak_rescales.toml
    site_settings "$2" >"$site.settings"
    site_slurm_conf "$2" >"$site.conf"
    "$root/scripts/devcluster" up --dir "$site" --build "$1" --accounting --horad \
        --nodes "$nodes" --settings "$site.settings" --conf "$site.conf" \
        "${cgroups[@]}" || return
    install -d -m 1777 "$site/work"
    site_users
}

site_down() {
    "$root/scripts/devcluster" down --dir "$site"
    rm -rf "$site" "$site.settings" "$site.conf"
}

# soak_site BUILD site|hostile|kill|rescales minutes|rounds|rescales COUNT SEED
soak_site() {
    local build=$1 what=$2 of=$3 count=$4 seed=$5
    local -a cgroups=() more=()
    local program=$root/tests/e2e/pretender.py
    [ ! -d /sys/fs/cgroup/freezer ] || cgroups=(--cgroups)
    site=$(mktemp -d "$HORA_E2E_PREFIX.XXXXXX")
    trap site_down EXIT
    trap 'exit 130' INT
    trap 'exit 143' TERM HUP
    site_up "$build" "$what"
    # Users are to run what is in this folder, whatever they may read of this tree.
    case $what in
        site) more=("${cgroups[@]}") ;;
        hostile)
            install -m 755 "$build/tests/e2e/hostile_owner" "$site/work/"
            more=(--owner "$site/work/hostile_owner"
                --port "$(sed -n 's/^port = //p' "$site/etc/hora.toml")")
            ;;
        rescales) program=$root/scripts/dev/soak_trainer.py ;;
    esac
    install -m 755 "$program" "$site/work/"
    in_site /usr/bin/python3 "$root/scripts/dev/soak_$what.py" --cluster "$site" \
        --program "$site/work/${program##*/}" "--$of" "$count" --seed "$seed" \
        "${more[@]}" || keep_logs "$logs/$what-$seed"
}

# keep_logs FOLDER: of the daemons and jobs, which would go with the cluster.
keep_logs() {
    rm -rf "$1"
    cp -r "$site/log" "$1" && cp --backup=numbered "$site"/work/*/*.out "$1/"
    cp "$site"/work/*/proof.* "$1/" 2>/dev/null || true # of rescales
    echo "the logs are in $1"
    return 1
}
