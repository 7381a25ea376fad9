if HAVE_MPI
check_PROGRAMS += tests/unit/contrib/contrib
endif
# The parts of the trainer that need no MPI.
tests_unit_contrib_contrib_SOURCES = \
	contrib/mpi/checkpoint.cpp \
	contrib/mpi/digits.cpp \
	contrib/mpi/file.cpp \
	contrib/mpi/network.cpp \
	contrib/mpi/progress.cpp \
	contrib/mpi/shares.cpp \
	tests/unit/contrib/checkpoint.cpp \
	tests/unit/contrib/digits.cpp \
	tests/unit/contrib/network.cpp \
	tests/unit/contrib/progress.cpp \
	tests/unit/contrib/scratch_folder.hpp \
	tests/unit/contrib/shares.cpp
tests_unit_contrib_contrib_CPPFLAGS = $(unit_cppflags)
tests_unit_contrib_contrib_LDADD = libplanner/libreaders.la $(up_to_read) $(unit_libraries) $(ZLIB_LIBS)
