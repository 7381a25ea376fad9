contrib_data =
include contrib/mpi/local.mk
include contrib/pytorch/local.mk
include contrib/quickstart/local.mk
include contrib/slurm/local.mk
