# Machines as lstopo would export them; write_machines.py says what each is.
topologies = \
	tests/topologies/amd.xml \
	tests/topologies/four-switches.xml \
	tests/topologies/hybrid-cube-mesh.xml \
	tests/topologies/management-graphics.xml \
	tests/topologies/no-gpu.xml \
	tests/topologies/nvswitch.xml \
	tests/topologies/one-socket-four-switches.xml \
	tests/topologies/two-switches-one-socket.xml \
	tests/topologies/two-switches-two-sockets.xml \
	tests/topologies/virtual.xml \
	tests/topologies/virtual-sxm.xml
EXTRA_DIST += $(topologies) tests/topologies/write_machines.py

update-topologies:
	$(srcdir)/tests/topologies/write_machines.py $(srcdir)/tests/topologies
.PHONY: update-topologies
