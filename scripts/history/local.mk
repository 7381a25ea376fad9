# What was measured and done, kept in SQLite: one writer (horad), read by the command.
noinst_LTLIBRARIES += scripts/history/libhistory.la
scripts_history_libhistory_la_SOURCES = \
	scripts/history/connection.cpp \
	scripts/history/connection.hpp \
	scripts/history/database.cpp \
	scripts/history/database.hpp \
	scripts/history/digest.cpp \
	scripts/history/digest.hpp \
	scripts/history/records.hpp \
	scripts/history/schema.hpp
scripts_history_libhistory_la_CPPFLAGS = $(AM_CPPFLAGS) $(SQLITE_CFLAGS)
scripts_history_libhistory_la_LIBADD = libplanner/libplanner.la $(SQLITE_LIBS)
