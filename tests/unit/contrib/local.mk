if HAVE_MPI
check_PROGRAMS += tests/unit/contrib/contrib
endif
# The parts of the trainer that need no MPI.
tests_unit_contrib_contrib_SOURCES = \
	tests/unit/contrib/checkpoint.cpp \
	tests/unit/contrib/digits.cpp \
	tests/unit/contrib/network.cpp \
	tests/unit/contrib/progress.cpp \
	tests/unit/contrib/scratch_folder.hpp \
	tests/unit/contrib/shares.cpp
tests_unit_contrib_contrib_CPPFLAGS = $(unit_cppflags)
tests_unit_contrib_contrib_LDADD = contrib/trainer/libtrainer.la libplanner/libreaders.la $(up_to_read) $(unit_libraries)
