# Headers that are read once for all sources, with the flags of those sources; see
# libplanner/base/precompiled.hpp. A source that is compiled without them reads the header itself.
base_header = libplanner/base/precompiled.hpp
unit_header = tests/unit/precompiled.hpp
EXTRA_DIST += $(base_header) $(unit_header)
if PRECOMPILED
AM_CPPFLAGS += -include $(base_header)
unit_include = -include $(unit_header)
precompiled = $(base_header).gch $(unit_header).gch
precompiled_flags = libplanner/base/precompiled.flags
MOSTLYCLEANFILES += $(precompiled) $(precompiled_flags)
CLEANFILES += $(precompiled:=.d)
precompile = $(CXX) $(DEFS) $(DEFAULT_INCLUDES) -I$(top_srcdir) $(CPPFLAGS) $(AM_CXXFLAGS) $(CXXFLAGS)

# New only when the flags are: with others than a source's own the compiler refuses the header.
$(precompiled_flags): config.status
	@$(MKDIR_P) $(@D) && printf '%s\n' $(precompile) $(GTEST_CFLAGS) $(HORA_FORTIFY_FLAG) \
		$(UNIT_CXXFLAGS) >$@.new
	@if cmp -s $@.new $@; then rm $@.new; else mv $@.new $@; fi
$(base_header).gch: $(base_header) $(precompiled_flags)
	$(AM_V_CXX)$(precompile) -MD -MP -MT $@ -MF $@.d -x c++-header -o $@ $(top_srcdir)/$(base_header)
$(unit_header).gch: $(unit_header) $(precompiled_flags)
	$(AM_V_CXX)$(MKDIR_P) $(@D) && $(precompile) $(GTEST_CFLAGS) -MD -MP -MT $@ -MF $@.d \
		-x c++-header -o $@ $(top_srcdir)/$(unit_header)

$(OBJECT_FILES): $(base_header).gch
$(UNIT_TEST_FILES): $(unit_header).gch
$(UNIT_BUILDS_OF_OURS): private unit_include = -include $(base_header)
-include $(precompiled:=.d)
endif
if PLAIN_UNITS
# Those of the tests that are compiled as programs are would find a header for sanitizers.
$(UNIT_TEST_FILES): private AM_CPPFLAGS = -I$(top_srcdir)
$(UNIT_TEST_FILES) $(unit_header).gch: private AM_CXXFLAGS = $(HORA_CXXFLAGS) $(library_cflags) \
	$(HORA_FORTIFY_FLAG)
$(UNIT_TEST_FILES) $(unit_header).gch: private CXXFLAGS = $(UNIT_CXXFLAGS)
endif
