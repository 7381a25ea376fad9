if HAVE_MPI
noinst_PROGRAMS += contrib/mpi/hora-train-digits
endif
contrib_mpi_hora_train_digits_SOURCES = \
	contrib/mpi/exchange.cpp \
	contrib/mpi/exchange.hpp \
	contrib/mpi/main.cpp \
	contrib/mpi/training.cpp \
	contrib/mpi/training.hpp
contrib_mpi_hora_train_digits_CPPFLAGS = $(AM_CPPFLAGS) $(MPI_CFLAGS)
contrib_mpi_hora_train_digits_LDADD = contrib/trainer/libtrainer.la $(MPI_LIBS) $(FMT_LIBS)
