# Gives a private cluster a database of its own: MariaDB on a socket, slurmdbd, one account.
# Sourced by devcluster; uses its `dir`, `name` and the helpers of daemons.bash.

database_answers() {
    mariadb --no-defaults --socket="$dir/run/mariadb.socket" --user=root --execute='select 1'
}

# Each of them, not any.
can_account() {
    local program
    for program in mariadbd mariadb-install-db slurmdbd sacctmgr; do
        command -v "$program" >/dev/null || return
    done
}

start_accounting() {
    can_account ||
        fail "--accounting needs mariadbd and slurmdbd; run scripts/install-packages test"
    mariadb-install-db --no-defaults --user=root --datadir="$dir/database" --skip-test-db \
        --auth-root-authentication-method=normal >>"$dir/log/start.log" 2>&1
    start --fork mariadbd --no-defaults --user=root --datadir="$dir/database" --skip-networking \
        --socket="$dir/run/mariadb.socket" --pid-file="$dir/run/mariadb.pid" \
        --innodb-buffer-pool-size=64M --innodb-log-file-size=16M --innodb-flush-log-at-trx-commit=0 \
        --innodb-lock-wait-timeout=900 --loose-innodb-snapshot-isolation=OFF --log-error="$dir/log/mariadb.log"
    wait_until "the database" database_answers
    export MYSQL_UNIX_PORT=$dir/run/mariadb.socket
    start slurmdbd
    unset MYSQL_UNIX_PORT
    wait_until "slurmdbd" sacctmgr --noheader show cluster
    # An account for all who may submit here; a test adds what else it needs.
    sacctmgr --immediate --quiet add cluster "$name" >>"$dir/log/start.log"
    sacctmgr --immediate --quiet add account main cluster="$name" >>"$dir/log/start.log"
    sacctmgr --immediate --quiet add user root,games,news,mail account=main cluster="$name" \
        >>"$dir/log/start.log"
}
