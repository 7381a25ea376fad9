check_PROGRAMS += tests/unit/mpi/allreduce/allreduce
tests_unit_mpi_allreduce_allreduce_SOURCES = \
	tests/unit/any_number.hpp \
	tests/unit/mpi/allreduce/allreduce.cpp \
	tests/unit/mpi/allreduce/any_times.hpp \
	tests/unit/mpi/allreduce/kernel.cpp \
	tests/unit/mpi/allreduce/layout.cpp \
	tests/unit/mpi/allreduce/message.cpp \
	tests/unit/mpi/allreduce/network.hpp \
	tests/unit/mpi/allreduce/route.cpp
tests_unit_mpi_allreduce_allreduce_CPPFLAGS = $(unit_cppflags)
tests_unit_mpi_allreduce_allreduce_LDADD = plugins/mpi/allreduce/liballreduce.la $(unit_libraries)

if HAVE_MPI
check_PROGRAMS += tests/unit/mpi/races
endif
tests_unit_mpi_races_SOURCES = tests/unit/mpi/races.cpp $(mpi_transport_sources)
tests_unit_mpi_races_CPPFLAGS = $(AM_CPPFLAGS) $(MPI_CFLAGS)
tests_unit_mpi_races_LDADD = plugins/mpi/allreduce/liballreduce.la $(MPI_LIBS) $(FMT_LIBS)
