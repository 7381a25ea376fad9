# Run by scripts/check, not by `make check`: they need root and a minute each.
EXTRA_DIST += \
	tests/e2e/cluster.bash \
	tests/e2e/devcluster.bats
EXTRA_DIST += \
	tests/e2e/calibrate.bats \
	tests/e2e/language.bats \
	tests/e2e/pytorch.bats \
	tests/e2e/sampled_rows.py \
	tests/e2e/trainer.bash \
	tests/e2e/trainer.bats
EXTRA_DIST += \
	tests/e2e/spank.bats \
	tests/e2e/spank.toml
EXTRA_DIST += tests/e2e/allreduce.bats tests/e2e/timeline.bats
EXTRA_DIST += tests/e2e/snapshot.bats
EXTRA_DIST += \
	tests/e2e/ring.bats \
	tests/e2e/ring.json \
	tests/e2e/ring.toml
EXTRA_DIST += tests/e2e/picture.bats tests/e2e/picture.js
EXTRA_DIST += tests/e2e/page.bats tests/e2e/page.js
EXTRA_DIST += tests/e2e/failover.bats tests/e2e/folder.bats tests/e2e/names.bats \
	tests/e2e/names.toml tests/e2e/plans.bats
EXTRA_DIST += tests/e2e/hardkill.bats tests/e2e/status.bats tests/e2e/two_types.bats \
	tests/e2e/two_types.toml
EXTRA_DIST += tests/e2e/submit.bats tests/e2e/without_plan.bats
EXTRA_DIST += \
	tests/e2e/command.bash \
	tests/e2e/commands.bats \
	tests/e2e/export_networks.py \
	tests/e2e/onnx.bats
EXTRA_DIST += \
	tests/e2e/controller.bash \
	tests/e2e/forged.bats \
	tests/e2e/lifecycle.bats \
	tests/e2e/limits.bats \
	tests/e2e/limits.toml
if HAVE_SLURM
noinst_PROGRAMS += tests/e2e/forger tests/e2e/hostile_owner
tests_e2e_forger_SOURCES = tests/e2e/forger.cpp
tests_e2e_forger_CPPFLAGS = $(AM_CPPFLAGS) $(SLURM_CPPFLAGS)
tests_e2e_forger_LDADD = $(SLURM_LIBS)
tests_e2e_hostile_owner_SOURCES = tests/e2e/hostile_owner.cpp
tests_e2e_hostile_owner_CPPFLAGS = $(AM_CPPFLAGS) $(SLURM_CPPFLAGS)
tests_e2e_hostile_owner_LDADD = plugins/slurm/libreport.la $(SLURM_LIBS)
endif
if HAVE_MPI
noinst_PROGRAMS += tests/e2e/late_reducer
endif
tests_e2e_late_reducer_SOURCES = tests/e2e/late_reducer.cpp
tests_e2e_late_reducer_CPPFLAGS = $(AM_CPPFLAGS) $(MPI_CFLAGS)
tests_e2e_late_reducer_LDADD = $(MPI_LIBS)
EXTRA_DIST += \
	tests/e2e/fragmentations.py \
	tests/e2e/pairs.bats \
	tests/e2e/pairs.toml
EXTRA_DIST += tests/e2e/gres.bats tests/e2e/gres.toml
EXTRA_DIST += tests/e2e/batch.bats tests/e2e/requeue.bats
EXTRA_DIST += tests/e2e/cgroups.bats
EXTRA_DIST += tests/e2e/loop.bats
EXTRA_DIST += tests/e2e/keep.bash tests/e2e/keep.bats
EXTRA_DIST += tests/e2e/launch.bats
EXTRA_DIST += tests/e2e/hostile_reports.bats tests/e2e/hostile_sender.py
EXTRA_DIST += tests/e2e/horad.bash tests/e2e/horad.bats tests/e2e/horad.toml tests/e2e/private.bats
EXTRA_DIST += \
	tests/e2e/elastic.bash \
	tests/e2e/elastic.bats \
	tests/e2e/site.bats \
	tests/e2e/elastic.toml \
	tests/e2e/faults.bats \
	tests/e2e/pretender.py
EXTRA_DIST += tests/e2e/hostile.bats tests/e2e/priority.bats
EXTRA_DIST += tests/e2e/replan.bats tests/e2e/replan.toml
EXTRA_DIST += tests/e2e/machine.bash tests/e2e/machine.bats
