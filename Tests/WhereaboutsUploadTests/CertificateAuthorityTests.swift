import Foundation
import Testing
import Whereabouts
import WhereaboutsModel
import WhereaboutsStore
import WhereaboutsTesting

@testable import WhereaboutsUpload

/// A server with a certificate of one's own authority: nginx, with certificates made by openssl.
@Suite(.enabled(if: TLSServer.isPossible, "needs nginx and openssl")) struct CertificateAuthorityTests {
  @Test func serverOfOwnAuthorityIsTrustedOnlyWithItsFile() async throws {
    let rig = try UploadFixture(), store = try rig.store(), server = try await TLSServer(in: rig.folder)
    defer { server.stop() }
    var endpoint = Endpoint(name: "there", url: server.url, template: .whereabouts)
    endpoint.terms = nil
    try store.add(endpoint)
    try await store.commit(SampleHistory.commit([SampleHistory.fix(1)]))
    _ = try await rig.drive(store) { if case .failed = $0 { true } else { false } }
    #expect(try store.onlyStatus().sent == 0)
    // Another authority's file is not sufficient, and an invalid file is reported.
    for (file, words) in [(server.otherAuthority, "--ca-file"), ("\(rig.folder)/none.pem", "none.pem")] {
      endpoint.authorityFile = file
      try store.update(endpoint)
      let outcome = try await rig.drive(store) { if case .failed = $0 { true } else { false } }
      guard case .failed(let reason, _) = outcome.last else { Issue.record("\(outcome.last)"); return }
      #expect(reason.contains(words), "\(reason)")
    }
    endpoint.authorityFile = server.authority
    // The certificate names the host, not its address.
    endpoint.url = server.url.replacing("localhost", with: "127.0.0.1")
    try store.update(endpoint)
    _ = try await rig.drive(store) { if case .failed = $0 { true } else { false } }
    #expect(try store.onlyStatus().lastReason?.contains("for another host") == true)
    endpoint.url = server.url
    try store.update(endpoint)
    try await rig.drive(store)
    let status = try store.onlyStatus()
    #expect(status.sent == 1 && status.waiting.requests == 0, "\(status)")
  }
}

/// nginx on the loopback, which takes everything.
private struct TLSServer {
  let authority: String
  let otherAuthority: String
  let url: String
  private let process: Process

  static var isPossible: Bool { program("nginx") != nil && program("openssl") != nil }

  private static func program(_ name: String) -> String? {
    ["/usr/sbin/", "/usr/bin/", "/usr/local/bin/"].map { $0 + name }
      .first { FileManager.default.isExecutableFile(atPath: $0) }
  }

  init(in folder: String) async throws {
    authority = "\(folder)/ca.pem"
    otherAuthority = "\(folder)/other.pem"
    try await Self.makeCertificates(in: folder)
    let started = try Self.startNginx(in: folder)
    process = started.process
    url = "https://localhost:\(started.port)/log"
  }

  private struct StartError: Error {}

  private static func startNginx(in folder: String) throws -> (process: Process, port: UInt16) {
    for _ in 0..<20 {
      let port = try freePort()
      if let process = try startNginx(on: port, in: folder) { return (process, port) }
    }
    throw StartError()
  }

  /// Starts nginx at a port and waits until it listens.
  ///
  /// - Returns: `nil` if nginx ended, as where somebody else took the port meanwhile.
  private static func startNginx(on port: UInt16, in folder: String) throws -> Process? {
    let settings = """
      daemon off; master_process off; error_log \(folder)/error.log; pid \(folder)/nginx.pid;
      events {}
      http {
        access_log off; client_body_temp_path \(folder)/body; proxy_temp_path \(folder)/proxy;
        fastcgi_temp_path \(folder)/fastcgi; uwsgi_temp_path \(folder)/uwsgi; scgi_temp_path \(folder)/scgi;
        server {
          listen 127.0.0.1:\(port) ssl; server_name localhost;
          ssl_certificate \(folder)/server.pem; ssl_certificate_key \(folder)/server.key;
          location / { return 204; }
        }
      }
      """
    try settings.write(toFile: "\(folder)/nginx.conf", atomically: true, encoding: .utf8)
    let process = Process()
    process.executableURL = URL(fileURLWithPath: try #require(program("nginx")))
    process.arguments = ["-p", folder, "-c", "\(folder)/nginx.conf", "-e", "\(folder)/error.log"]
    // Its own output: what holds that of the tests keeps their run from ending.
    (process.standardOutput, process.standardError) = (FileHandle.nullDevice, FileHandle.nullDevice)
    try process.run()
    // It writes this file once it listens.
    while process.isRunning, !FileManager.default.fileExists(atPath: "\(folder)/nginx.pid") { usleep(10_000) }
    return process.isRunning ? process : nil
  }

  /// Without a master process nginx may pass over SIGTERM.
  func stop() {
    kill(process.processIdentifier, SIGKILL)
  }

  private static func makeCertificates(in folder: String) async throws {
    let script = """
      set -e; cd "$0"
      for name in ca other; do
        openssl req -x509 -newkey rsa:2048 -nodes -keyout $name.key -out $name.pem -days 30 -subj "/CN=$name"
      done
      openssl req -newkey rsa:2048 -nodes -keyout server.key -out server.csr -subj /CN=localhost
      printf 'subjectAltName=DNS:localhost' > server.ext
      openssl x509 -req -in server.csr -CA ca.pem -CAkey ca.key -CAcreateserial -days 30 \
        -extfile server.ext -out server.pem
      """
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/bin/sh")
    process.arguments = ["-c", script, folder]
    (process.standardOutput, process.standardError) = (FileHandle.nullDevice, FileHandle.nullDevice)
    // `waitUntilExit` may spin forever on a thread of the tests' pool.
    let status: Int32 = try await withCheckedThrowingContinuation { continuation in
      process.terminationHandler = { continuation.resume(returning: $0.terminationStatus) }
      do { try process.run() } catch { continuation.resume(throwing: error) }
    }
    try #require(status == 0, "openssl failed")
  }

  #if canImport(Glibc)
    private static let streams = Int32(SOCK_STREAM.rawValue)
  #else
    private static let streams = SOCK_STREAM
  #endif

  /// A port that was free a moment ago.
  private static func freePort() throws -> UInt16 {
    let descriptor = socket(AF_INET, streams, 0)
    defer { close(descriptor) }
    var address = loopback(0)
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isBound = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(descriptor, $0, length) == 0 && getsockname(descriptor, $0, &length) == 0
      }
    }
    try #require(isBound)
    return UInt16(bigEndian: address.sin_port)
  }

  private static func loopback(_ port: UInt16) -> sockaddr_in {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    return address
  }
}
