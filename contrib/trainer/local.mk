# What the trainers have in common, whatever carries their gradients.
if HAVE_ZLIB
noinst_LTLIBRARIES += contrib/trainer/libtrainer.la
endif
contrib_trainer_libtrainer_la_SOURCES = \
	contrib/trainer/checkpoint.cpp \
	contrib/trainer/checkpoint.hpp \
	contrib/trainer/digits/convolution.hpp \
	contrib/trainer/data_file.cpp \
	contrib/trainer/data_file.hpp \
	contrib/trainer/digits/digits.cpp \
	contrib/trainer/digits/digits.hpp \
	contrib/trainer/digits/digits_learner.hpp \
	contrib/trainer/exchange.hpp \
	contrib/trainer/failure.hpp \
	contrib/trainer/file.cpp \
	contrib/trainer/file.hpp \
	contrib/trainer/learner.hpp \
	contrib/trainer/digits/network.cpp \
	contrib/trainer/digits/network.hpp \
	contrib/trainer/noise_scale.cpp \
	contrib/trainer/noise_scale.hpp \
	contrib/trainer/optimiser.hpp \
	contrib/trainer/progress.cpp \
	contrib/trainer/progress.hpp \
	contrib/trainer/requests.cpp \
	contrib/trainer/requests.hpp \
	contrib/trainer/say.hpp \
	contrib/trainer/settings.cpp \
	contrib/trainer/settings.hpp \
	contrib/trainer/shares.cpp \
	contrib/trainer/shares.hpp \
	contrib/trainer/shuffle.hpp \
	contrib/trainer/train.cpp \
	contrib/trainer/train.hpp \
	contrib/trainer/digits/train_digits.cpp \
	contrib/trainer/digits/train_digits.hpp \
	contrib/trainer/training.cpp \
	contrib/trainer/training.hpp
contrib_trainer_libtrainer_la_CPPFLAGS = $(AM_CPPFLAGS) $(CLI11_CFLAGS)
contrib_trainer_libtrainer_la_LIBADD = $(FMT_LIBS) $(ZLIB_LIBS)
EXTRA_DIST += contrib/trainer/digits/digits.toml
