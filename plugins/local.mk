plugin_ldflags = $(AM_LDFLAGS) -module -avoid-version -shared

include plugins/slurm/local.mk
include plugins/job_submit/local.mk
include plugins/spank/local.mk
