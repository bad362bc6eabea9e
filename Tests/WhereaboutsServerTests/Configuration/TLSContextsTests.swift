import Foundation
import Testing

@testable import WhereaboutsServer

@Suite(.enabled(if: Certificates.canBeMade, "needs openssl")) struct TLSContextsTests {
  private let folder: TemporaryPlace
  private let files: ServerSettings.TLSFiles

  init() throws {
    folder = try TemporaryPlace()
    for name in ["one", "two"] { try Certificates.make(name, in: folder) }
    try Certificates.install("one", in: folder)
    files = ServerSettings.TLSFiles(certificate: folder.path("cert.pem"), key: folder.path("key.pem"))
  }

  @Test func contextChangesWithTheContents() throws {
    let contexts = try TLSContexts(files), first = contexts.current
    #expect(try !contexts.reload() && contexts.current === first)
    try Certificates.install("two", in: folder)
    #expect(try contexts.reload() && contexts.current !== first)
    #expect(try !contexts.reload())
  }

  @Test func keyThatEverybodyMayReadIsAWarning() throws {
    var input = ServerConfiguration.Input()
    for text in ["TLS_CERTIFICATE=\(files.certificate)", "TLS_KEY=\(files.key)"] { input.set(text) }
    for (mode, warns) in [(0o644, true), (0o640, false)] {
      try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: files.key)
      let warnings = try ServerConfiguration(input).warnings
      #expect(warnings.isEmpty != warns, "\(warnings)")
    }
  }

  @Test func plainHTTPIsReportedOnceAMinute() throws {
    let contexts = try TLSContexts(files)
    #expect(contexts.claimPlainHTTPReport())
    #expect(!contexts.claimPlainHTTPReport())
  }

  /// The advice to use https:// would mislead who looks for the cause of a proxy's failure.
  @Test func onlyHTTPIsReported() {
    for text in ["GET / HTTP/1.1\r\n", "POST /owntracks?u=a HTTP/1.1\r\n"] {
      #expect(isPlainHTTP(text.utf8), "\(text)")
    }
    for text in [
      "PROXY TCP4 192.0.2.1 192.0.2.2 56324 443\r\n", "SSH-2.0-OpenSSH_9.6\r\n", "EHLO host\r\n",
      "\u{16}\u{3}\u{1}", " / HTTP/1.1\r\n", "GET", "",
    ] {
      #expect(!isPlainHTTP(text.utf8), "\(text)")
    }
  }

  @Test func incompletePairRetainsTheContextAndIsReportedOnce() throws {
    let contexts = try TLSContexts(files), first = contexts.current
    let old = try Data(contentsOf: URL(filePath: files.key))
    try Certificates.install("two", in: folder)
    let new = try Data(contentsOf: URL(filePath: files.key))
    try old.write(to: URL(filePath: files.key))
    let error = #expect(throws: TLSPairError.self) { try contexts.reload() }
    #expect(error?.setting == .tlsKey && contexts.current === first)
    #expect(try !contexts.reload())
    try new.write(to: URL(filePath: files.key))
    #expect(try contexts.reload())
  }

  /// The files are looked at each minute. A key that stays away must not fill the log.
  @Test func missingFileRetainsTheContextAndIsReportedOnce() throws {
    let contexts = try TLSContexts(files), first = contexts.current
    try FileManager.default.removeItem(atPath: files.key)
    let error = #expect(throws: TLSPairError.self) { try contexts.reload() }
    #expect(error?.setting == .tlsKey && contexts.current === first)
    #expect(try !contexts.reload())
    try Certificates.install("two", in: folder)
    #expect(try contexts.reload() && contexts.current !== first)
  }

  @Test(arguments: [
    ("cert.pem", ServerSetting.tlsCertificate), ("key.pem", .tlsKey),
  ])
  func unusableFileIsNamed(name: String, setting: ServerSetting) throws {
    #expect(files.problems.isEmpty)
    for text in ["", "none", "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n"] {
      _ = try folder.write(text, to: name)
      #expect(files.problems.map(\.setting) == [setting])
    }
    try FileManager.default.removeItem(atPath: folder.path(name))
    #expect(files.problems.first?.text.hasPrefix("\(folder.path(name)) can't be read") == true)
  }
}
