# What read/ reads back: it needs neither cost nor plan, so that tests of the readers do not either.
noinst_LTLIBRARIES += libplanner/report/libformats.la
libplanner_report_libformats_la_SOURCES = \
	libplanner/report/plan/snapshot.cpp \
	libplanner/report/plan/snapshot.hpp \
	libplanner/report/plan/snapshot_cluster.cpp \
	libplanner/report/plan/snapshot_cluster.hpp \
	libplanner/report/jobs/status_json.cpp \
	libplanner/report/jobs/status_json.hpp \
	libplanner/report/text/characters.cpp \
	libplanner/report/text/characters.hpp \
	libplanner/report/machine/topology.hpp \
	libplanner/report/machine/topology_json.cpp
noinst_LTLIBRARIES += libplanner/report/libreport.la
libplanner_report_libreport_la_SOURCES = \
	libplanner/report/plan/model.cpp \
	libplanner/report/plan/model.hpp
libplanner_report_libreport_la_SOURCES += \
	libplanner/report/jobs/notice.cpp \
	libplanner/report/jobs/notice.hpp \
	libplanner/report/plan/late_rank.cpp \
	libplanner/report/plan/late_rank.hpp \
	libplanner/report/plan/plan.cpp \
	libplanner/report/plan/plan.hpp
libplanner_report_libreport_la_SOURCES += \
	libplanner/report/jobs/decision_token.cpp \
	libplanner/report/jobs/decision_token.hpp
libplanner_report_libreport_la_SOURCES += libplanner/report/plan/settings.cpp libplanner/report/plan/settings.hpp
libplanner_report_libreport_la_SOURCES += \
	libplanner/report/plan/brief_plan.cpp \
	libplanner/report/plan/brief_plan.hpp \
	libplanner/report/duration.cpp \
	libplanner/report/duration.hpp \
	libplanner/report/short_count.cpp \
	libplanner/report/short_count.hpp \
	libplanner/report/jobs/explanation.cpp \
	libplanner/report/jobs/explanation.hpp \
	libplanner/report/jobs/explanation_json.cpp
libplanner_report_libreport_la_SOURCES += \
	libplanner/report/plan/cluster.cpp \
	libplanner/report/plan/cluster.hpp
libplanner_report_libreport_la_SOURCES += \
	libplanner/report/machine/topology_matrix.cpp \
	libplanner/report/machine/topology_remarks.cpp \
	libplanner/report/machine/topology_tree.cpp
libplanner_report_libreport_la_SOURCES += libplanner/report/machine/ring.cpp libplanner/report/machine/ring.hpp
libplanner_report_libreport_la_SOURCES += libplanner/report/machine/ring_stops.cpp libplanner/report/machine/ring_stops.hpp
libplanner_report_libreport_la_SOURCES += libplanner/report/machine/ring_verdict.cpp libplanner/report/machine/ring_verdict.hpp
libplanner_report_libreport_la_SOURCES += libplanner/report/machine/measured_links.cpp libplanner/report/machine/measured_links.hpp
libplanner_report_libreport_la_SOURCES += \
	libplanner/report/machine/machine_difference.cpp \
	libplanner/report/machine/machine_difference.hpp
libplanner_report_libreport_la_SOURCES += \
	libplanner/report/svg/brackets.cpp \
	libplanner/report/svg/brackets.hpp \
	libplanner/report/svg/legend.cpp \
	libplanner/report/svg/legend.hpp \
	libplanner/report/svg/link_colour.cpp \
	libplanner/report/svg/link_colour.hpp \
	libplanner/report/svg/machine_boxes.cpp \
	libplanner/report/svg/machine_boxes.hpp \
	libplanner/report/svg/machine_labels.cpp \
	libplanner/report/svg/machine_labels.hpp \
	libplanner/report/svg/machine_layout.cpp \
	libplanner/report/svg/machine_layout.hpp \
	libplanner/report/svg/ring_picture.cpp \
	libplanner/report/svg/ring_picture.hpp \
	libplanner/report/svg/svg_canvas.cpp \
	libplanner/report/svg/svg_canvas.hpp \
	libplanner/report/svg/svg_text.cpp \
	libplanner/report/svg/svg_text.hpp \
	libplanner/report/svg/topology_svg.cpp \
	libplanner/report/svg/topology_svg.hpp
libplanner_report_libreport_la_SOURCES += libplanner/report/machine/gres_conf.cpp libplanner/report/machine/gres_conf.hpp
# It checks what it writes by the reader.
libplanner_libnccl_la_SOURCES += libplanner/report/machine/nccl_xml.cpp libplanner/report/machine/nccl_xml.hpp
libplanner_report_libreport_la_SOURCES += libplanner/report/machine/gres_check.cpp libplanner/report/machine/gres_check.hpp
libplanner_libelastic_la_SOURCES += libplanner/report/jobs/simulation.cpp libplanner/report/jobs/simulation.hpp
libplanner_libelastic_la_SOURCES += libplanner/report/jobs/elastic.cpp libplanner/report/jobs/elastic.hpp
libplanner_report_libreport_la_SOURCES += \
	libplanner/report/jobs/placement_json.cpp \
	libplanner/report/jobs/placement_json.hpp \
	libplanner/report/jobs/submission_plan.cpp \
	libplanner/report/jobs/submission_plan.hpp
libplanner_report_libreport_la_SOURCES += libplanner/report/jobs/status.cpp libplanner/report/jobs/status.hpp
libplanner_report_libreport_la_SOURCES += libplanner/report/text/text_table.cpp libplanner/report/text/text_table.hpp
libplanner_report_libreport_la_SOURCES += libplanner/report/jobs/history.cpp libplanner/report/jobs/history.hpp
libplanner_report_libreport_la_SOURCES += libplanner/report/moment.cpp libplanner/report/moment.hpp
libplanner_report_libreport_la_SOURCES += libplanner/report/jobs/rescale.cpp libplanner/report/jobs/rescale.hpp
libplanner_libelastic_la_SOURCES += \
	libplanner/report/html/gpu_bars.cpp \
	libplanner/report/html/gpu_bars.hpp \
	libplanner/report/html/gpu_changes.cpp \
	libplanner/report/html/gpu_changes.hpp \
	libplanner/report/html/html_page.cpp \
	libplanner/report/html/html_page.hpp \
	libplanner/report/html/page_data.cpp \
	libplanner/report/html/page_data.hpp \
	libplanner/report/html/page_frame.cpp \
	libplanner/report/html/page_frame.hpp \
	libplanner/report/html/page_text.hpp \
	libplanner/report/html/past_result.cpp \
	libplanner/report/html/past_result.hpp \
	libplanner/report/html/timeline_page.cpp \
	libplanner/report/html/timeline_page.hpp \
	libplanner/report/html/use_over_time.cpp \
	libplanner/report/html/use_over_time.hpp

# A page's style and script are kept as files of their kinds, and compiled in as strings.
nodist_libplanner_libelastic_la_SOURCES = libplanner/report/html/page_text.cpp
page_parts = libplanner/report/html/page.css libplanner/report/html/page.js \
	libplanner/report/html/timeline.js
EXTRA_DIST += $(page_parts)
CLEANFILES += libplanner/report/html/page_text.cpp
libplanner/report/html/page_text.cpp: $(page_parts)
	$(AM_V_GEN)$(MKDIR_P) libplanner/report/html && { \
		echo '#include "libplanner/report/html/page_text.hpp"'; \
		echo 'const std::string_view hora::report::page_style = R"page('; \
		cat $(srcdir)/libplanner/report/html/page.css; \
		echo ')page";'; \
		echo 'const std::string_view hora::report::page_script = R"page('; \
		cat $(srcdir)/libplanner/report/html/page.js; \
		echo ')page";'; \
		echo 'const std::string_view hora::report::timeline_script = R"page('; \
		cat $(srcdir)/libplanner/report/html/timeline.js; \
		echo ')page";'; } >$@.new && mv $@.new $@
libplanner_libelastic_la_SOURCES += libplanner/report/jobs/chrome_trace.cpp libplanner/report/jobs/chrome_trace.hpp
libplanner_libelastic_la_SOURCES += libplanner/report/jobs/figures.cpp libplanner/report/jobs/figures.hpp
libplanner_libelastic_la_SOURCES += libplanner/report/jobs/replay.cpp libplanner/report/jobs/replay.hpp
