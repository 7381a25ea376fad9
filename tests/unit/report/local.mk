check_PROGRAMS += tests/unit/report/report
tests_unit_report_report_SOURCES = \
	tests/unit/report/brackets.cpp \
	tests/unit/report/explanation.cpp \
	tests/unit/report/figures.cpp \
	tests/unit/report/svg_text.cpp \
	tests/unit/report/topology_svg.cpp
tests_unit_report_report_CPPFLAGS = $(unit_cppflags)
tests_unit_report_report_LDADD = $(unit_ldadd)
tests_unit_report_report_SOURCES += tests/unit/report/nccl_xml.cpp
tests_unit_report_report_SOURCES += tests/unit/report/gres_check.cpp
tests_unit_report_report_SOURCES += \
	tests/unit/report/golden.hpp \
	tests/unit/report/history.cpp \
	tests/unit/report/page.cpp \
	tests/unit/report/some_rescales.hpp \
	tests/unit/report/status.cpp \
	tests/unit/report/text_table.cpp
