if HAVE_ZLIB
check_PROGRAMS += tests/unit/contrib/contrib tests/unit/contrib/nccl/nccl
endif
tests_unit_contrib_contrib_SOURCES = \
	tests/unit/contrib/checkpoint.cpp \
	tests/unit/contrib/data_file.cpp \
	tests/unit/contrib/digits.cpp \
	tests/unit/contrib/network.cpp \
	tests/unit/contrib/noise_scale.cpp \
	tests/unit/contrib/progress.cpp \
	tests/unit/scratch_folder.hpp \
	tests/unit/contrib/settings.cpp \
	tests/unit/contrib/shares.cpp \
	tests/unit/contrib/train.cpp \
	tests/unit/contrib/training.cpp
tests_unit_contrib_contrib_CPPFLAGS = $(unit_cppflags)
tests_unit_contrib_contrib_LDADD = contrib/trainer/libtrainer.la libplanner/libreaders.la $(up_to_read) \
	$(ZLIB_LIBS) $(unit_libraries)

if HAVE_MPI
if HAVE_ZLIB
check_PROGRAMS += tests/unit/contrib/mpi_program
endif
endif
tests_unit_contrib_mpi_program_SOURCES = $(mpi_trainer_sources) \
	tests/unit/contrib/mpi_program.cpp \
	tests/unit/mpi/four_ranks.hpp
tests_unit_contrib_mpi_program_CPPFLAGS = $(AM_CPPFLAGS) $(MPI_CFLAGS)
tests_unit_contrib_mpi_program_LDFLAGS = $(AM_LDFLAGS) -no-install
tests_unit_contrib_mpi_program_LDADD = contrib/trainer/libtrainer.la $(MPI_LIBS) $(FMT_LIBS)

# What the NCCL trainer does without a GPU.
tests_unit_contrib_nccl_nccl_SOURCES = \
	tests/unit/contrib/nccl/buckets.cpp \
	tests/unit/contrib/nccl/join.cpp \
	tests/unit/contrib/nccl/passes.cpp \
	tests/unit/contrib/nccl/processes.hpp \
	tests/unit/contrib/nccl/ring_check.cpp \
	tests/unit/contrib/nccl/socket.cpp \
	tests/unit/contrib/nccl/tcp_exchange.cpp \
	tests/unit/scratch_folder.hpp
tests_unit_contrib_nccl_nccl_CPPFLAGS = $(unit_cppflags)
tests_unit_contrib_nccl_nccl_LDADD = contrib/nccl/libranks.la $(unit_libraries)

# The language model, without MPI and with it.
if HAVE_EIGEN
check_PROGRAMS += tests/unit/contrib/language-model/words
endif
tests_unit_contrib_language_model_words_SOURCES = \
	tests/unit/contrib/language-model/networks.cpp \
	tests/unit/contrib/language-model/text.cpp \
	tests/unit/scratch_folder.hpp
tests_unit_contrib_language_model_words_CPPFLAGS = $(unit_cppflags) $(EIGEN_CFLAGS)
tests_unit_contrib_language_model_words_LDADD = contrib/language-model/libwords.la $(ZLIB_LIBS) \
	$(unit_libraries)
if HAVE_LANGUAGE_MODEL
check_PROGRAMS += tests/unit/contrib/language-model/gradient_exchange
endif
tests_unit_contrib_language_model_gradient_exchange_SOURCES = $(gradient_exchange_sources) \
	tests/unit/contrib/language-model/gradient_exchange.cpp \
	tests/unit/mpi/four_ranks.hpp
tests_unit_contrib_language_model_gradient_exchange_CPPFLAGS = $(AM_CPPFLAGS) $(MPI_CFLAGS)
tests_unit_contrib_language_model_gradient_exchange_LDADD = contrib/language-model/libwords.la \
	plugins/mpi/sampling/libsampling.la $(MPI_LIBS)
