include scripts/hora/local.mk
include scripts/read-model/local.mk
include scripts/history/local.mk
if HAVE_SLURM
include scripts/horad/local.mk
include scripts/watch-job/local.mk
endif
dist_check_SCRIPTS += scripts/autotools/check-hardening scripts/autotools/check-layers
dist_noinst_SCRIPTS += \
	scripts/check \
	scripts/dev/machine \
	scripts/dev/node-view \
	scripts/dev/soak_hostile.py \
	scripts/dev/soak_kill.py \
	scripts/dev/soak_rescales.py \
	scripts/dev/soak_site.py \
	scripts/dev/soak_trainer.py \
	scripts/dev/write_slurm_conf.py \
	scripts/devcluster \
	scripts/install-packages \
	scripts/quickstart \
	scripts/releases \
	scripts/soak
EXTRA_DIST += \
	scripts/autotools/hora_check_parts.m4 \
	scripts/dev/accounting.bash \
	scripts/dev/build.bash \
	scripts/dev/cgroups.bash \
	scripts/dev/daemons.bash \
	scripts/dev/hora.toml \
	scripts/dev/nodes.toml \
	scripts/dev/releases.bash \
	scripts/dev/selected.bash \
	scripts/dev/soak_cluster.py \
	scripts/dev/soak_proof.py \
	scripts/dev/soak_rescales.toml \
	scripts/dev/soak_site.bash \
	scripts/dev/soak_site.toml \
	scripts/dev/steps.bash \
	scripts/packages
