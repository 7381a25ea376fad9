libplanner_libplanner_la_SOURCES += \
	libplanner/plan/async.cpp \
	libplanner/plan/async_curve.cpp \
	libplanner/plan/async.hpp \
	libplanner/plan/balanced.cpp \
	libplanner/plan/balanced.hpp \
	libplanner/plan/choose.cpp \
	libplanner/plan/choose.hpp \
	libplanner/plan/curve.cpp \
	libplanner/plan/curve.hpp \
	libplanner/plan/field.cpp \
	libplanner/plan/field.hpp \
	libplanner/plan/free_gpus.cpp \
	libplanner/plan/free_gpus.hpp \
	libplanner/plan/pick.cpp \
	libplanner/plan/pick.hpp \
	libplanner/plan/place.cpp \
	libplanner/plan/place.hpp \
	libplanner/plan/pricing.cpp \
	libplanner/plan/pricing.hpp \
	libplanner/plan/rejected.cpp \
	libplanner/plan/rejected.hpp \
	libplanner/plan/request.cpp \
	libplanner/plan/request.hpp \
	libplanner/plan/shares.cpp \
	libplanner/plan/shares.hpp \
	libplanner/plan/weigh.cpp \
	libplanner/plan/weigh.hpp
