# What its trainers have in common.
mpi_trainer_sources = \
	contrib/mpi/mpi_exchange.cpp \
	contrib/mpi/mpi_exchange.hpp \
	contrib/mpi/mpi_program.cpp \
	contrib/mpi/mpi_program.hpp

if HAVE_MPI
noinst_PROGRAMS += contrib/mpi/hora-train-digits
endif
contrib_mpi_hora_train_digits_SOURCES = $(mpi_trainer_sources) \
	contrib/mpi/cpu_learner.cpp \
	contrib/mpi/cpu_learner.hpp \
	contrib/mpi/main.cpp
contrib_mpi_hora_train_digits_CPPFLAGS = $(AM_CPPFLAGS) $(MPI_CFLAGS)
contrib_mpi_hora_train_digits_LDADD = contrib/trainer/libtrainer.la $(MPI_LIBS) $(FMT_LIBS)
