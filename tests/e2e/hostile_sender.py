#!/usr/bin/python3
"""Sends reports to horad without end, as no honest program would.

hostile_sender.py PORT COUNT KIND [SOCKET JOB]: a connection a line, as fast as it goes, and the
number of lines so far in the file COUNT. KIND is "junk", "forged" (written as a credential), or
"sealed" (by the munged of SOCKET: reports of JOB, in the sender's own name).
"""
import ctypes, pathlib, select, socket, sys, time

port, count, kind = int(sys.argv[1]), pathlib.Path(sys.argv[2]), sys.argv[3]
munge = ctypes.CDLL("libmunge.so.2") if kind == "sealed" else None
if munge:
    munge.munge_ctx_create.restype = ctypes.c_void_p
    context = ctypes.c_void_p(munge.munge_ctx_create())
    socket_option = 8  # MUNGE_OPT_SOCKET
    munge.munge_ctx_set(context, socket_option, ctypes.c_char_p(sys.argv[4].encode()))


def sealed(text):
    credential = ctypes.c_char_p()
    if munge.munge_encode(ctypes.byref(credential), context, text, len(text)) != 0:
        raise RuntimeError("munge does not seal")
    return credential.value  # leaks; this program is ended soon


def line(number):
    if kind == "junk":
        return b"x\n"
    if kind == "forged":
        return b"MUNGE:AwQFAAB%08d=:\n" % (number % 100000000)
    return sealed(b"1 %d 0 progress %d 1 1 1 1 1" % (int(sys.argv[5]), number % 1000)) + b"\n"


sent, last, open_ones = 0, 0, []
while True:
    one = socket.socket()
    one.setblocking(False)
    open_ones.append(one)
    if one.connect_ex(("127.0.0.1", port)) in (0, 115):  # EINPROGRESS
        try:
            one.send(line(sent))
            sent += 1
        except OSError:
            pass
    # No answer is waited for, but where each costs munge time that this machine may not have.
    if len(open_ones) > (50 if kind == "forged" else 400):
        oldest = open_ones.pop(0)
        if kind == "forged":
            select.select([oldest], [], [], 10)
        oldest.close()
    if time.monotonic() - last > 0.1:
        last = time.monotonic()
        count.write_text(f"{sent}\n")
