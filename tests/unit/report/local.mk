check_PROGRAMS += tests/unit/report/report
tests_unit_report_report_SOURCES = \
	tests/unit/report/duration.cpp \
	tests/unit/report/plan/late_rank.cpp \
	tests/unit/report/plan/plan.cpp \
	tests/unit/report/short_count.cpp \
	tests/unit/report/svg/brackets.cpp \
	tests/unit/report/svg/link_colour.cpp \
	tests/unit/report/jobs/explanation.cpp \
	tests/unit/report/jobs/figures.cpp \
	tests/unit/report/svg/svg_text.cpp \
	tests/unit/report/svg/topology_svg.cpp
tests_unit_report_report_CPPFLAGS = $(unit_cppflags) $(PUGIXML_CFLAGS)
tests_unit_report_report_LDADD = libplanner/libnccl.la $(PUGIXML_LIBS) $(unit_ldadd)
tests_unit_report_report_SOURCES += tests/unit/report/machine/nccl_xml.cpp
tests_unit_report_report_SOURCES += tests/unit/report/machine/gres_check.cpp \
	tests/unit/report/machine/topology_matrix.cpp \
	tests/unit/report/machine/topology_tree.cpp
tests_unit_report_report_SOURCES += \
	tests/unit/report/golden.hpp \
	tests/unit/report/jobs/history.cpp \
	tests/unit/report/html/gpu_bars.cpp \
	tests/unit/report/html/gpu_changes.cpp \
	tests/unit/report/html/html_page.cpp \
	tests/unit/report/html/page_data.cpp \
	tests/unit/report/html/page_frame.cpp \
	tests/unit/report/html/past_result.cpp \
	tests/unit/report/html/some_result.hpp \
	tests/unit/report/html/timeline_page.cpp \
	tests/unit/report/html/use_over_time.cpp \
	tests/unit/report/some_rescales.hpp \
	tests/unit/report/jobs/simulation.cpp \
	tests/unit/report/jobs/status.cpp \
	tests/unit/report/text/characters.cpp \
	tests/unit/report/text/text_table.cpp
tests_unit_report_report_SOURCES += tests/unit/report/jobs/notice.cpp \
	tests/unit/report/jobs/rescale.cpp tests/unit/report/machine/gres_conf.cpp
tests_unit_report_report_SOURCES += tests/unit/report/jobs/chrome_trace.cpp \
	tests/unit/report/jobs/elastic.cpp \
	tests/unit/report/plan/cluster.cpp \
	tests/unit/report/jobs/status_json.cpp \
	tests/unit/report/moment.cpp \
	tests/unit/report/plan/brief_plan.cpp \
	tests/unit/report/plan/model.cpp \
	tests/unit/report/svg/machine_boxes.cpp
tests_unit_report_report_SOURCES += tests/unit/report/machine/ring.cpp \
	tests/unit/report/svg/drawn.hpp \
	tests/unit/report/svg/ring_picture.cpp
tests_unit_report_report_SOURCES += tests/unit/report/svg/machine_labels.cpp
tests_unit_report_report_SOURCES += tests/unit/report/jobs/submission_plan.cpp
tests_unit_report_report_SOURCES += tests/unit/report/jobs/explanation_json.cpp \
	tests/unit/report/jobs/placement_json.cpp \
	tests/unit/report/machine/ring_stops.cpp \
	tests/unit/report/machine/topology_remarks.cpp \
	tests/unit/report/svg/legend.cpp \
	tests/unit/report/svg/machine_layout.cpp \
	tests/unit/report/svg/svg_canvas.cpp
