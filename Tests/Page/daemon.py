"""The daemon as a process of its own over a store that lasts as long as a test."""

import json
import os
import pathlib
import random
import signal
import socket
import subprocess
import threading
import time
import urllib.error
import urllib.request
from datetime import datetime, timezone

ROOT = pathlib.Path(__file__).resolve().parents[2]
METRES = 1 / 111_195  # degrees of latitude, nearly
# In seconds; a busy machine may take minutes.
PATIENCE = 300


def free_port():
    """Returns a free port that no system gives away, so that nobody takes it while a daemon does not run."""
    for _ in range(1000):
        # Browsers refuse port 10,080, and none above it.
        port = random.randrange(10_081, 32_000)
        with socket.socket() as probe:
            try:
                probe.bind(("127.0.0.1", port))
            except OSError:
                continue
        return port
    raise RuntimeError("no port is free")


def wait_until(condition, pause=lambda: time.sleep(0.1)):
    """Waits until a condition holds, as long as a busy machine may take."""
    end = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < end, "the condition does not hold"
        pause()


class Daemon:
    def __init__(self, program, folder, zone):
        self.program = program
        self.environment = {**os.environ, "TZ": zone}
        self.store = folder / "store.sqlite"
        self.token = None
        self.start(free_port())

    def start(self, port, *options):
        """Starts the daemon at a port; 0 takes a free one, which is free for others after its end."""
        self.process = subprocess.Popen(
            [self.program, "serve", "--store", self.store, "--listen", f"127.0.0.1:{port}", *options],
            cwd=ROOT, env=self.environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        if self.token is None:
            self.token = self.process.stdout.readline().split()[-1]
        for line in self.process.stderr:
            if line.startswith("ready: "):
                self.url = line.split()[1]
                break
        else:
            raise RuntimeError("the daemon did not start")
        self.port = int(self.url.rsplit(":", 1)[1])
        threading.Thread(target=self.process.stderr.read, daemon=True).start()

    def kill(self):
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()

    def stop(self):
        if self.process.poll() is None:
            self.process.terminate()
            self.process.wait(timeout=PATIENCE)

    def create_token(self, *terms):
        """Returns a token, once the daemon knows it."""
        secret = subprocess.run(
            [self.program, "token", "create", "--store", self.store, *terms],
            cwd=ROOT, capture_output=True, text=True, check=True).stdout.strip()
        wait_until(lambda: self.knows(secret))
        return secret

    def revoke_token(self, secret, number):
        """Revokes a token, and waits until the daemon refuses it."""
        subprocess.run(
            [self.program, "token", "revoke", str(number), "--store", self.store],
            cwd=ROOT, stdout=subprocess.DEVNULL, check=True)
        wait_until(lambda: not self.knows(secret))

    def import_recording(self, device, path):
        subprocess.run(
            [self.program, "import", "--store", self.store, "--device", device, path],
            cwd=ROOT, capture_output=True, check=True)

    def knows(self, secret):
        try:
            self.get("/api/v1/token", token=secret)
        except urllib.error.HTTPError as error:
            if error.code == 401:
                return False
            raise
        return True

    def send(self, method, path, body=None, token=None):
        request = urllib.request.Request(
            self.url + path, method=method, data=None if body is None else body.encode(),
            headers={"Authorization": f"Bearer {token or self.token}"})
        with urllib.request.urlopen(request, timeout=PATIENCE) as response:
            return response.read().decode()

    def get(self, path, token=None):
        return json.loads(self.send("GET", path, token=token))

    def set_fences(self, *features):
        self.send("POST", "/api/v1/fences", json.dumps({"type": "FeatureCollection", "features": features}))

    def send_fixes(self, device, fixes):
        self.send("POST", "/ingest", "\n".join(json.dumps({"device": device, **fix}) for fix in fixes))

    def fixes(self, device):
        return self.get(f"/api/v1/devices/{device}/fixes")["fixes"]

    def features(self):
        return self.get("/api/v1/fences")["features"]


def circle(identifier, latitude, longitude, radius=100, **properties):
    return {
        "type": "Feature", "id": identifier, "properties": {"radius": radius, **properties},
        "geometry": {"type": "Point", "coordinates": [longitude, latitude]},
    }


def walk(latitude, longitude, distances, end=None, interval=10):
    """Returns fixes at some distances north of a place in metres, the last one now."""
    end = time.time() if end is None else end
    begin = end - interval * (len(distances) - 1)
    return [
        {
            "time": datetime.fromtimestamp(begin + interval * index, timezone.utc).isoformat(),
            "lat": latitude + distance * METRES, "lon": longitude, "hacc": 5,
        }
        for index, distance in enumerate(distances)
    ]


def there_and_away(latitude, longitude, end=None):
    """Returns fixes that rest at a place and then leave it by half a kilometre."""
    return walk(latitude, longitude, [0] * 10 + [20 * step for step in range(26)], end)
