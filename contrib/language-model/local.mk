# What needs no MPI, and has unit tests.
if HAVE_EIGEN
noinst_LTLIBRARIES += contrib/language-model/libwords.la
endif
contrib_language_model_libwords_la_SOURCES = \
	contrib/language-model/feed_forward.cpp \
	contrib/language-model/feed_forward.hpp \
	contrib/language-model/recurrent.cpp \
	contrib/language-model/recurrent.hpp \
	contrib/language-model/text.cpp \
	contrib/language-model/text.hpp \
	contrib/language-model/word_network.cpp \
	contrib/language-model/word_network.hpp
contrib_language_model_libwords_la_CPPFLAGS = $(AM_CPPFLAGS) $(EIGEN_CFLAGS)
contrib_language_model_libwords_la_LIBADD = contrib/trainer/libtrainer.la $(FMT_LIBS) $(ZLIB_LIBS)

if HAVE_LANGUAGE_MODEL
noinst_PROGRAMS += contrib/language-model/hora-train-language
endif
gradient_exchange_sources = \
	contrib/language-model/gradient_exchange.cpp \
	contrib/language-model/gradient_exchange.hpp
contrib_language_model_hora_train_language_SOURCES = \
	$(gradient_exchange_sources) $(mpi_trainer_sources) \
	contrib/language-model/language_learner.cpp \
	contrib/language-model/language_learner.hpp \
	contrib/language-model/main.cpp
contrib_language_model_hora_train_language_CPPFLAGS = $(AM_CPPFLAGS) $(CLI11_CFLAGS) $(MPI_CFLAGS)
contrib_language_model_hora_train_language_LDADD = contrib/language-model/libwords.la \
	plugins/mpi/sampling/libsampling.la contrib/trainer/libtrainer.la $(MPI_LIBS) $(FMT_LIBS)
