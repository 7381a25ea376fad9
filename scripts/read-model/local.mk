# Reads a user's model file with the user's rights, so that no plugin ever does.
pkglibexec_PROGRAMS += hora-read-model
hora_read_model_SOURCES = scripts/read-model/main.cpp
hora_read_model_LDADD = libplanner/libreaders.la libplanner/libplanner.la
