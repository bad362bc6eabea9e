import Foundation
import Testing
import Whereabouts
import WhereaboutsModel

@testable import WhereaboutsSources

@Suite struct PipeTests {
  private func pipe(in folder: TemporaryFolder) throws -> String {
    let path = folder.path + "/nmea"
    guard mkfifo(path, 0o600) == 0 else { throw PseudoTerminal.Failure() }
    return path
  }

  /// Waits for a reader and writes.
  private func write(_ bytes: [UInt8], to path: String) async throws {
    var descriptor: Int32 = -1
    while true {
      descriptor = open(path, O_WRONLY | O_NONBLOCK)
      if descriptor >= 0 { break }
      try await Task.sleep(for: .milliseconds(1))
    }
    defer { close(descriptor) }
    #expect(bytes.withUnsafeBytes { Foundation.write(descriptor, $0.baseAddress, $0.count) } == bytes.count)
  }

  @Test func pipeIsReadAgainAfterAnotherWriterOpens() async throws {
    let folder = try TemporaryFolder()
    let path = try pipe(in: folder)
    var rig = SourceHarness(ReceiverSource(.file(path: path), settings: ReceiverSamples.settings()))
    for round in 0..<5 {
      try await write(
        (0..<4).flatMap { ReceiverSamples.instant(round * 4 + $0) } + Array("$GPGGA,12".utf8), to: path)
      let seconds = await rig.fixes(4).compactMap { $0.time?.civil.second }
      #expect(seconds == (0..<4).map { round * 4 + $0 }, "round \(round)")
      #expect(await rig.problem(.unreachable)?.message == "read \(path): no process writes to it any more")
    }
    _ = await rig.end()
  }

  @Test func bytesBufferedWithoutDemandAreOld() async throws {
    let folder = try TemporaryFolder()
    let path = try pipe(in: folder)
    // Holds the pipe open, so that its bytes are retained.
    let descriptor = open(path, O_RDWR | O_NONBLOCK)
    defer { close(descriptor) }
    func writeInstant(_ second: Int) {
      _ = ReceiverSamples.instant(second).withUnsafeBytes {
        Foundation.write(descriptor, $0.baseAddress, $0.count)
      }
    }
    for dropsWaiting in [false, true] {
      (0..<3).forEach(writeInstant)
      var opener = LineOpener(port: .file(path: path), session: ReceiverSamples.settings().session)
      opener.dropsWaiting = dropsWaiting
      let line = try await opener.open()
      (3..<6).forEach(writeInstant)
      var seconds: [Int] = []
      for await case .signal(.fix(let fix, _)) in line.reports {
        seconds.append(fix.time?.civil.second ?? -1)
        if seconds.last == 4 { break }
      }
      await line.close()
      #expect(seconds == (dropsWaiting ? [3, 4] : [0, 1, 2, 3, 4]))
    }
  }

  @Test func recordingFileIsRefusedAsReceiver() async throws {
    let folder = try TemporaryFolder()
    let path = folder.path + "/walk.nmea"
    try Data(ReceiverSamples.instant(0)).write(to: URL(filePath: path))
    var rig = SourceHarness(ReceiverSource(.file(path: path)))
    let signal = await rig.next()
    guard case .failed(let problem)? = signal else {
      Issue.record("\(String(describing: signal))")
      return
    }
    #expect(problem.message == "listen to \(path): it is a file, and nothing new comes from one")
    _ = await rig.end()
  }

  /// As of a request beside a subscription of another accuracy: the request waited for its whole timeout.
  @Test func changedDemandRetriesAReceiverThatGaveUp() async throws {
    let folder = try TemporaryFolder()
    let path = folder.path + "/walk.nmea"
    try Data(ReceiverSamples.instant(0)).write(to: URL(filePath: path))
    var rig = SourceHarness(ReceiverSource(.file(path: path)))
    for accuracy in [5.0, 100, 5] {
      guard case .failed? = await rig.next() else {
        Issue.record("no failure before \(accuracy) m")
        return
      }
      rig.setDemand(.continuous(Demand.Continuous(accuracy: accuracy)))
    }
    guard case .failed? = await rig.next() else {
      Issue.record("no failure at last")
      return
    }
    _ = await rig.end()
  }

  @Test(.enabled(if: geteuid() == 0, "only root can change the user"))
  func missingReadPermissionIsReportedWithARemedy() throws {
    let line = try PseudoTerminal()
    chmod(line.device, 0o600)
    // Applies to this thread and to files only. Swift does not import the function.
    typealias SetUser = @convention(c) (UInt32) -> Int32
    let setUser = unsafeBitCast(try #require(dlsym(nil, "setfsuid")), to: SetUser.self)
    _ = setUser(65_534)
    defer { _ = setUser(0) }
    let failure = #expect(throws: ReceiverLineError.self) {
      try DeviceFile(.serial(path: line.device), path: line.device).probe(isExclusive: true)
    }
    #expect(failure?.retry == .whenPermitted)
    #expect(failure?.problem.code == .notPermitted && failure?.problem.remedy?.contains(line.device) == true)
  }
}
