check_PROGRAMS += tests/unit/base/base
tests_unit_base_base_SOURCES = tests/unit/base/nearest.cpp tests/unit/base/cholesky.cpp
tests_unit_base_base_CPPFLAGS = $(unit_cppflags)
tests_unit_base_base_LDADD = $(up_to_base) $(unit_libraries)
tests_unit_base_base_SOURCES += tests/unit/base/non_negative.cpp
tests_unit_base_base_SOURCES += tests/unit/base/counted.cpp
tests_unit_base_base_SOURCES += tests/unit/base/median.cpp
tests_unit_base_base_SOURCES += tests/unit/base/lower_case.cpp
