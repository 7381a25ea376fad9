# What read/ reads back: it needs neither cost nor plan, so that tests of the readers do not either.
noinst_LTLIBRARIES += libplanner/report/libformats.la
libplanner_report_libformats_la_SOURCES = \
	libplanner/report/snapshot.cpp \
	libplanner/report/snapshot.hpp \
	libplanner/report/snapshot_cluster.cpp \
	libplanner/report/snapshot_cluster.hpp \
	libplanner/report/status_json.cpp \
	libplanner/report/status_json.hpp \
	libplanner/report/svg_text.cpp \
	libplanner/report/svg_text.hpp \
	libplanner/report/topology.hpp \
	libplanner/report/topology_json.cpp
noinst_LTLIBRARIES += libplanner/report/libreport.la
libplanner_report_libreport_la_SOURCES = \
	libplanner/report/model.cpp \
	libplanner/report/model.hpp
libplanner_report_libreport_la_SOURCES += \
	libplanner/report/notice.cpp \
	libplanner/report/notice.hpp \
	libplanner/report/plan.cpp \
	libplanner/report/plan.hpp
libplanner_report_libreport_la_SOURCES += \
	libplanner/report/decision_token.cpp \
	libplanner/report/decision_token.hpp
libplanner_report_libreport_la_SOURCES += libplanner/report/settings.cpp libplanner/report/settings.hpp
libplanner_report_libreport_la_SOURCES += \
	libplanner/report/brief_plan.cpp \
	libplanner/report/brief_plan.hpp \
	libplanner/report/duration.cpp \
	libplanner/report/duration.hpp \
	libplanner/report/explanation.cpp \
	libplanner/report/explanation.hpp \
	libplanner/report/explanation_json.cpp
libplanner_report_libreport_la_SOURCES += \
	libplanner/report/cluster.cpp \
	libplanner/report/cluster.hpp
libplanner_report_libreport_la_SOURCES += \
	libplanner/report/topology_matrix.cpp \
	libplanner/report/topology_remarks.cpp \
	libplanner/report/topology_tree.cpp
libplanner_report_libreport_la_SOURCES += libplanner/report/ring.cpp libplanner/report/ring.hpp
libplanner_report_libreport_la_SOURCES += libplanner/report/ring_stops.cpp libplanner/report/ring_stops.hpp
libplanner_report_libreport_la_SOURCES += libplanner/report/ring_verdict.cpp libplanner/report/ring_verdict.hpp
libplanner_report_libreport_la_SOURCES += libplanner/report/measured_links.cpp libplanner/report/measured_links.hpp
libplanner_report_libreport_la_SOURCES += \
	libplanner/report/machine_difference.cpp \
	libplanner/report/machine_difference.hpp
libplanner_report_libreport_la_SOURCES += \
	libplanner/report/brackets.cpp \
	libplanner/report/brackets.hpp \
	libplanner/report/legend.cpp \
	libplanner/report/legend.hpp \
	libplanner/report/link_colour.cpp \
	libplanner/report/link_colour.hpp \
	libplanner/report/machine_boxes.cpp \
	libplanner/report/machine_boxes.hpp \
	libplanner/report/machine_labels.cpp \
	libplanner/report/machine_labels.hpp \
	libplanner/report/machine_layout.cpp \
	libplanner/report/machine_layout.hpp \
	libplanner/report/ring_picture.cpp \
	libplanner/report/ring_picture.hpp \
	libplanner/report/svg_canvas.cpp \
	libplanner/report/svg_canvas.hpp \
	libplanner/report/topology_svg.cpp \
	libplanner/report/topology_svg.hpp
libplanner_report_libreport_la_SOURCES += libplanner/report/gres_conf.cpp libplanner/report/gres_conf.hpp
libplanner_report_libreport_la_SOURCES += libplanner/report/nccl_xml.cpp libplanner/report/nccl_xml.hpp
libplanner_report_libreport_la_SOURCES += libplanner/report/gres_check.cpp libplanner/report/gres_check.hpp
libplanner_libelastic_la_SOURCES += libplanner/report/simulation.cpp libplanner/report/simulation.hpp
libplanner_libelastic_la_SOURCES += libplanner/report/elastic.cpp libplanner/report/elastic.hpp
libplanner_report_libreport_la_SOURCES += \
	libplanner/report/submission_plan.cpp \
	libplanner/report/submission_plan.hpp
libplanner_report_libreport_la_SOURCES += libplanner/report/status.cpp libplanner/report/status.hpp
libplanner_report_libreport_la_SOURCES += libplanner/report/text_table.cpp libplanner/report/text_table.hpp
libplanner_report_libreport_la_SOURCES += libplanner/report/history.cpp libplanner/report/history.hpp
libplanner_report_libreport_la_SOURCES += libplanner/report/moment.cpp libplanner/report/moment.hpp
libplanner_report_libreport_la_SOURCES += libplanner/report/rescale.cpp libplanner/report/rescale.hpp
libplanner_libelastic_la_SOURCES += \
	libplanner/report/gpu_bars.cpp \
	libplanner/report/gpu_bars.hpp \
	libplanner/report/html_page.cpp \
	libplanner/report/html_page.hpp \
	libplanner/report/page_data.cpp \
	libplanner/report/page_data.hpp \
	libplanner/report/page_text.hpp \
	libplanner/report/past_result.cpp \
	libplanner/report/past_result.hpp \
	libplanner/report/use_over_time.cpp \
	libplanner/report/use_over_time.hpp

# A page's style and script are kept as files of their kinds, and compiled in as strings.
nodist_libplanner_libelastic_la_SOURCES = libplanner/report/page_text.cpp
page_parts = libplanner/report/page.css libplanner/report/page.js
EXTRA_DIST += $(page_parts)
CLEANFILES += libplanner/report/page_text.cpp
libplanner/report/page_text.cpp: $(page_parts)
	$(AM_V_GEN)$(MKDIR_P) libplanner/report && { \
		echo '#include "libplanner/report/page_text.hpp"'; \
		echo 'const std::string_view hora::report::page_style = R"page('; \
		cat $(srcdir)/libplanner/report/page.css; \
		echo ')page";'; \
		echo 'const std::string_view hora::report::page_script = R"page('; \
		cat $(srcdir)/libplanner/report/page.js; \
		echo ')page";'; } >$@.new && mv $@.new $@
libplanner_libelastic_la_SOURCES += libplanner/report/figures.cpp libplanner/report/figures.hpp
libplanner_libelastic_la_SOURCES += libplanner/report/replay.cpp libplanner/report/replay.hpp
