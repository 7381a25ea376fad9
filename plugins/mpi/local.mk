# Needs neither MPI nor Slurm; what carries it by MPI is compiled with the program that uses it.
noinst_LTLIBRARIES += plugins/mpi/allreduce/liballreduce.la
allreduce_sources = \
	plugins/mpi/allreduce/algorithm.hpp \
	plugins/mpi/allreduce/allreduce.cpp \
	plugins/mpi/allreduce/allreduce.hpp \
	plugins/mpi/allreduce/kernel.cpp \
	plugins/mpi/allreduce/kernel.hpp \
	plugins/mpi/allreduce/layout.hpp \
	plugins/mpi/allreduce/levels.cpp \
	plugins/mpi/allreduce/levels.hpp \
	plugins/mpi/allreduce/message.cpp \
	plugins/mpi/allreduce/message.hpp \
	plugins/mpi/allreduce/ring.cpp \
	plugins/mpi/allreduce/ring.hpp \
	plugins/mpi/allreduce/route.cpp \
	plugins/mpi/allreduce/route.hpp \
	plugins/mpi/allreduce/transport.hpp
plugins_mpi_allreduce_liballreduce_la_SOURCES = $(allreduce_sources)
mpi_transport_sources = plugins/mpi/mpi_transport.cpp plugins/mpi/mpi_transport.hpp
EXTRA_DIST += $(mpi_transport_sources)
