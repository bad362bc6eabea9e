"""A server of map tiles on loopback, over TLS: each tile is a picture of one colour with a light rim."""

import http.server
import ssl
import struct
import subprocess
import threading
import zlib


def picture(red, green, blue, size=256):
    """Returns a PNG whose rim shows where the tile ends."""
    rim, inner = bytes((250, 250, 250)), bytes((red, green, blue))
    rows = [b"\0" + (rim * size if row == 0 else rim + inner * (size - 1)) for row in range(size)]

    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", size, size, 8, 2, 0, 0, 0))
            + chunk(b"IDAT", zlib.compress(b"".join(rows))) + chunk(b"IEND", b""))


class TileServer:
    def __init__(self, folder):
        certificate = folder / "tiles.pem"
        subprocess.run(
            ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "30",
             "-subj", "/CN=127.0.0.1", "-keyout", certificate, "-out", folder / "certificate.pem"],
            check=True, stderr=subprocess.DEVNULL)
        self.requests = requests = []

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                requests.append((self.path, self.headers.get("Referer"), self.headers.get("Authorization")))
                _, zoom, x, y = self.path.split(".")[0].split("/")
                body = picture(170 + int(x) % 2 * 30, 200, 170 + int(y) % 2 * 30)
                self.send_response(200)
                self.send_header("Content-Type", "image/png")
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *_):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(folder / "certificate.pem", certificate)
        self.server.socket = context.wrap_socket(
            self.server.socket, server_side=True, do_handshake_on_connect=False)
        self.origin = f"https://127.0.0.1:{self.server.server_address[1]}"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    @property
    def zooms(self):
        return {int(path.split("/")[1]) for path, _, _ in list(self.requests)}

    def stop(self):
        self.server.shutdown()
        self.server.server_close()
