# The cluster of `scripts/soak site`: ten nodes, three users, a QOS with a limit, a partition inside
# another one, cgroups where the machine has version 1 of them. Sourced by soak; uses its `root` and
# `logs`.

site_settings() {
    cat "$root/scripts/dev/hora.toml" - <<'END'
[horad]
state = "@DIR@/state/hora"
port = @PORT@
interval = "1 s"

[history]
path = "@DIR@/state/hora/history.db"

[elastic]
cooldown = "5 s"
fallback = "10 s"
ready_timeout = "20 s"
END
}

# No ended job is forgotten while a round is looked at.
site_slurm_conf() {
    cat <<'END'
PartitionName=inner Nodes=n10 MaxTime=INFINITE State=UP
MinJobAge=3600
END
}

site_users() {
    local user
    db() { in_site sacctmgr --immediate --quiet "$@" >/dev/null; }
    db add qos tight set MaxTRESPerUser=gres/gpu=4
    for user in games mail news; do
        db add user "$user" account=main || true # the cluster may have it already
        db modify user where name="$user" set qos=normal,tight
    done
}

in_site() {
    "$root/scripts/devcluster" run --dir "$site" "$@"
}

site_up() {
    site_settings >"$site.settings"
    site_slurm_conf >"$site.conf"
    "$root/scripts/devcluster" up --dir "$site" --build "$1" --accounting --horad \
        --nodes "$root/scripts/dev/soak_site.toml" --settings "$site.settings" --conf "$site.conf" \
        "${cgroups[@]}" || return
    install -d -m 1777 "$site/work"
    site_users
}

site_down() {
    "$root/scripts/devcluster" down --dir "$site"
    rm -rf "$site" "$site.settings" "$site.conf"
}

# soak_site BUILD MINUTES SEED
soak_site() {
    local -a cgroups=()
    [ ! -d /sys/fs/cgroup/freezer ] || cgroups=(--cgroups)
    site=$(mktemp -d "$HORA_E2E_PREFIX.XXXXXX")
    trap site_down EXIT
    trap 'exit 130' INT
    trap 'exit 143' TERM HUP
    site_up "$1"
    in_site /usr/bin/python3 "$root/scripts/dev/soak_site.py" --cluster "$site" \
        --program "$root/tests/e2e/pretender.py" --minutes "$2" --seed "$3" "${cgroups[@]}" ||
        keep_logs "$logs/site-$3"
}

# keep_logs FOLDER: of the daemons and jobs, which would go with the cluster.
keep_logs() {
    rm -rf "$1"
    cp -r "$site/log" "$1" && cp "$site"/work/*.out "$1/"
    echo "the logs are in $1"
    return 1
}
