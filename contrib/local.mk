contrib_data =
include contrib/mpi/local.mk
