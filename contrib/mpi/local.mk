if HAVE_MPI
noinst_PROGRAMS += contrib/mpi/hora-train-digits
endif
contrib_mpi_hora_train_digits_SOURCES = \
	contrib/mpi/cpu_learner.cpp \
	contrib/mpi/cpu_learner.hpp \
	contrib/mpi/main.cpp \
	contrib/mpi/mpi_exchange.cpp \
	contrib/mpi/mpi_exchange.hpp
contrib_mpi_hora_train_digits_CPPFLAGS = $(AM_CPPFLAGS) $(MPI_CFLAGS)
contrib_mpi_hora_train_digits_LDADD = contrib/trainer/libtrainer.la $(MPI_LIBS) $(FMT_LIBS)
