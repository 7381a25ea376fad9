libplanner_libplanner_la_SOURCES += \
	libplanner/read/job_options.cpp \
	libplanner/read/job_options.hpp \
	libplanner/read/quoted.cpp \
	libplanner/read/quoted.hpp \
	libplanner/read/snapshot.hpp \
	libplanner/read/whole_number.cpp \
	libplanner/read/whole_number.hpp \
	libplanner/read/workload_text.cpp \
	libplanner/read/workload_text.hpp

libplanner_libreaders_la_SOURCES += \
	libplanner/read/model_file.cpp \
	libplanner/read/model_file.hpp

libplanner_libplanner_la_SOURCES += \
	libplanner/read/file.cpp \
	libplanner/read/file.hpp \
	libplanner/read/quantity.cpp \
	libplanner/read/quantity.hpp \
	libplanner/read/toml_table.cpp \
	libplanner/read/toml_table.hpp
