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
	@$(MKDIR_P) $(@D) && printf '%s\n' $(precompile) $(GTEST_CFLAGS) >$@.new
	@if cmp -s $@.new $@; then rm $@.new; else mv $@.new $@; fi
$(base_header).gch: $(base_header) $(precompiled_flags)
	$(AM_V_CXX)$(precompile) -MD -MP -MT $@ -MF $@.d -x c++-header -o $@ $(top_srcdir)/$(base_header)
$(unit_header).gch: $(unit_header) $(precompiled_flags)
	$(AM_V_CXX)$(MKDIR_P) $(@D) && $(precompile) $(GTEST_CFLAGS) -MD -MP -MT $@ -MF $@.d \
		-x c++-header -o $@ $(top_srcdir)/$(unit_header)

$(OBJECT_FILES): $(base_header).gch
$(UNIT_TEST_FILES): $(unit_header).gch
-include $(precompiled:=.d)
endif
