check_PROGRAMS += tests/unit/history/history
tests_unit_history_history_SOURCES = \
	tests/unit/scratch_folder.hpp \
	tests/unit/history/connection.cpp \
	tests/unit/history/database.cpp \
	tests/unit/history/digest.cpp
tests_unit_history_history_CPPFLAGS = $(unit_cppflags) $(SQLITE_CFLAGS)
tests_unit_history_history_LDADD = scripts/history/libhistory.la $(unit_ldadd) $(SQLITE_LIBS)
tests_unit_history_history_SOURCES += \
	scripts/hora/history/past.cpp \
	scripts/hora/site/site.cpp \
	tests/unit/history/past.cpp
