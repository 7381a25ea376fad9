"""Can another process of its user trace a program that waits for an answer of slurmctld's?

    traced.py USER COMMAND ARGUMENT...     as root; prints "yes" or what ptrace says
"""
import ctypes
import os
import pathlib
import socket
import subprocess
import sys
import tempfile

SEIZE = 0x4206


def is_started(process, user):
    """Has it the rights of the user, and is it the program itself?"""
    folder = pathlib.Path("/proc", str(process.pid))
    status = dict(line.split(":", 1) for line in (folder / "status").read_text().splitlines())
    return status["Uid"].split() == [str(user)] * 4 and status["Name"].strip() == "hora-watch-job"


def trace(pid, user):
    os.setresgid(user, user, user)
    os.setresuid(user, user, user)
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.ptrace(SEIZE, pid, None, None) == 0:
        return "yes"
    return os.strerror(ctypes.get_errno())


def main():
    user, command = int(sys.argv[1]), sys.argv[2:]
    with tempfile.TemporaryDirectory() as folder:
        os.chmod(folder, 0o755)
        controller = socket.create_server(("127.0.0.1", 0))
        munge = socket.socket(socket.AF_UNIX)
        munge.bind(folder + "/munge")
        os.chmod(folder + "/munge", 0o777)
        munge.listen()
        pathlib.Path(folder, "slurm.conf").write_text(
            "ClusterName=c\nSlurmctldHost=localhost(127.0.0.1)\n"
            f"SlurmctldPort={controller.getsockname()[1]}\nAuthInfo=socket={folder}/munge\n"
            "NodeName=localhost\n"
        )
        process = subprocess.Popen(
            command, env={"SLURM_CONF": folder + "/slurm.conf"}, group=user, extra_groups=[user]
        )
        try:
            while not is_started(process, user):
                if process.poll() is not None:
                    return "it has ended"
            reader, writer = os.pipe()
            child = os.fork()
            if child == 0:
                os.write(writer, trace(process.pid, user).encode())
                os._exit(0)
            os.close(writer)
            os.waitpid(child, 0)
            return os.read(reader, 1000).decode()
        finally:
            process.kill()
            process.wait()


print(main())
