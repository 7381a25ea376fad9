contrib_data =
include contrib/mpi/local.mk
include contrib/pytorch/local.mk
