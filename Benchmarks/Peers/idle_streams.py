"""Opens event streams and leaves them idle.

Usage: idle_streams.py URL TOKEN COUNT [SLOW]
Prints `open COUNT` once every stream has answered with 200, then waits for the end of its standard input, reading
what arrives. With SLOW, so many further streams never read. At the end it prints the number of events and of bytes.
"""
import resource
import selectors
import socket
import sys
from urllib.parse import urlsplit

url, token, count = urlsplit(sys.argv[1]), sys.argv[2], int(sys.argv[3])
slow = int(sys.argv[4]) if len(sys.argv) > 4 else 0
hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
request = (
    f"GET /api/v1/stream HTTP/1.1\r\nHost: {url.netloc}\r\nAuthorization: Bearer {token}\r\n"
    "Accept: text/event-stream\r\n\r\n"
).encode()


def open_stream():
    connection = socket.create_connection((url.hostname, url.port))
    connection.sendall(request)
    head = b""
    while b"\r\n\r\n" not in head:
        part = connection.recv(4096)
        if not part:
            sys.exit(f"the server closed a stream: {head[:200]!r}")
        head += part
    if not head.startswith(b"HTTP/1.1 200"):
        sys.exit(f"no stream: {head[:200]!r}")
    return connection


selector = selectors.DefaultSelector()
for _ in range(count):
    connection = open_stream()
    connection.setblocking(False)
    selector.register(connection, selectors.EVENT_READ)
slow_ones = [open_stream() for _ in range(slow)]
print(f"open {count + slow}", flush=True)

selector.register(sys.stdin, selectors.EVENT_READ)
events = size = 0
running = True
while running:
    for key, _ in selector.select():
        if key.fileobj is sys.stdin:
            running = False
            continue
        part = key.fileobj.recv(65536)
        if not part:
            selector.unregister(key.fileobj)
        size += len(part)
        events += part.count(b"\nevent: ") + part.startswith(b"event: ")
print(f"{events} events, {size} bytes")
