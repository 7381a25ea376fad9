"""What a training needs to go on after a restart, and how it is kept on disk."""

import hashlib
import io
import os
import time

import torch

from report import Fatal, remark


class CheckpointFolder:
    """Checkpoints of one training, each under its step; only rank 0 touches them."""

    PREFIX = "checkpoint-"

    def __init__(self, path):
        self.path = path
        self.ready = os.path.join(path, "READY")
        os.makedirs(path, mode=0o700, exist_ok=True)
        self.withdraw()
        for name in os.listdir(path):
            if name.startswith(".unfinished-"):
                os.unlink(os.path.join(path, name))

    def names(self):
        return sorted(
            (name for name in os.listdir(self.path) if name.startswith(self.PREFIX)), reverse=True
        )

    def replace(self, name, data):
        """Under a temporary name, fsynced, renamed; a failure leaves nothing behind."""
        unfinished = os.path.join(self.path, ".unfinished-" + name)
        try:
            with open(unfinished, "wb") as file:
                file.write(data)
                file.flush()
                os.fsync(file.fileno())
            os.rename(unfinished, os.path.join(self.path, name))
            folder = os.open(self.path, os.O_RDONLY | os.O_DIRECTORY)
            try:
                os.fsync(folder)
            finally:
                os.close(folder)
        except OSError:
            if os.path.exists(unfinished):
                os.unlink(unfinished)
            raise

    def write(self, step, state):
        """Whether the checkpoint stands; a failure is reported and training goes on."""
        buffer = io.BytesIO()
        torch.save(state, buffer)
        data = buffer.getvalue()
        name = f"{self.PREFIX}{step:010}"
        try:
            self.replace(name, hashlib.sha256(data).digest() + data)
            for old in [other for other in self.names() if other < name][1:]:
                os.unlink(os.path.join(self.path, old))
            return True
        except OSError as error:
            remark(f"no checkpoint, training goes on: {error}")
            return False

    def newest(self, identity):
        for name in self.names():
            path = os.path.join(self.path, name)
            try:
                with open(path, "rb") as file:
                    digest, data = file.read(32), file.read()
            except OSError as error:
                remark(f'skipping the checkpoint "{path}": {error}')
                continue
            if hashlib.sha256(data).digest() != digest:
                remark(f'skipping the checkpoint "{path}": damaged')
                continue
            state = torch.load(io.BytesIO(data))
            if state["identity"] != identity:
                raise Fatal(
                    f'the checkpoint "{path}" is of another training ({state["identity"]}); use '
                    "its settings, or another folder"
                )
            return state
        return None

    def announce(self, step):
        try:
            restarts = os.environ.get("SLURM_RESTART_COUNT") or "0"
            self.replace("READY", f"{step} {restarts}\n".encode())
        except OSError as error:
            remark(f"cannot announce the checkpoint, training goes on: {error}")

    def withdraw(self):
        try:
            os.unlink(self.ready)
        except FileNotFoundError:
            pass

    def wait_to_be_ended(self, limit, requested):
        """Until READY disappears, or for so many seconds; requests meanwhile are answered by it."""
        until = time.monotonic() + limit
        while time.monotonic() < until and os.path.exists(self.ready):
            requested.clear()
            time.sleep(0.01)
        self.withdraw()
