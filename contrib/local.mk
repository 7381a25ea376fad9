contrib_data =
EXTRA_DIST += contrib/HACKING.md
include contrib/trainer/local.mk
include contrib/mpi/local.mk
include contrib/language-model/local.mk
include contrib/nccl/local.mk
include contrib/pytorch/local.mk
include contrib/quickstart/local.mk
include contrib/slurm/local.mk
