if HAVE_MPI
noinst_PROGRAMS += contrib/mpi/hora-train-digits
endif
contrib_mpi_hora_train_digits_SOURCES = \
	contrib/mpi/checkpoint.cpp \
	contrib/mpi/checkpoint.hpp \
	contrib/mpi/convolution.hpp \
	contrib/mpi/digits.cpp \
	contrib/mpi/digits.hpp \
	contrib/mpi/exchange.cpp \
	contrib/mpi/exchange.hpp \
	contrib/mpi/file.cpp \
	contrib/mpi/file.hpp \
	contrib/mpi/main.cpp \
	contrib/mpi/network.cpp \
	contrib/mpi/network.hpp \
	contrib/mpi/optimiser.hpp \
	contrib/mpi/progress.cpp \
	contrib/mpi/progress.hpp \
	contrib/mpi/requests.cpp \
	contrib/mpi/requests.hpp \
	contrib/mpi/settings.cpp \
	contrib/mpi/settings.hpp \
	contrib/mpi/shares.cpp \
	contrib/mpi/shares.hpp \
	contrib/mpi/shuffle.hpp \
	contrib/mpi/training.cpp \
	contrib/mpi/training.hpp
contrib_mpi_hora_train_digits_CPPFLAGS = $(AM_CPPFLAGS) $(CLI11_CFLAGS) $(MPI_CFLAGS)
contrib_mpi_hora_train_digits_LDADD = $(MPI_LIBS) $(FMT_LIBS) $(ZLIB_LIBS)
EXTRA_DIST += contrib/mpi/digits.toml
