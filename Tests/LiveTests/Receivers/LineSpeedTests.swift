import Foundation
import Testing
import WhereaboutsModel
import WhereaboutsGeodesy

@testable import WhereaboutsSources

#if canImport(Glibc)
  import Glibc
#endif

/// A receiver that is readable at one line speed only.
@Suite struct LineSpeedTests {
  private func settings() -> ReceiverSource.Settings {
    var settings = ReceiverSamples.settings()
    settings.session.search.listenDuration = .milliseconds(300)
    return settings
  }

  /// Sends sentences while the line has the speed, and otherwise the garbage of a wrong speed.
  private func send(on line: PseudoTerminal, at speed: speed_t) -> Task<Void, any Error> {
    Task {
      for second in 0..<100_000 {
        let bytes = ReceiverSamples.instant(second % 3000)
        try await line.write(line.speed == speed ? bytes : bytes.map { $0 &* 31 | 0x80 })
        try await Task.sleep(for: .milliseconds(10))
      }
    }
  }

  @Test(arguments: [(B4800, 4800), (B9600, 9600), (B38400, 38_400), (B115200, 115_200), (B230400, 230_400)])
  func lineSpeedIsDetected(code: Int32, baud: Int) async throws {
    let line = try PseudoTerminal()
    var rig = SourceHarness(ReceiverSource(.serial(path: line.device), settings: settings()))
    let sending = send(on: line, at: speed_t(code))
    let fixes = await rig.fixes(3)
    #expect(fixes.count == 3 && line.speed == speed_t(code))
    #expect(fixes.allSatisfy { Int($0.coordinate.latitude) == 47 })
    sending.cancel()
    _ = await rig.end()
  }

  @Test func statedSpeedIsRetained() async throws {
    let line = try PseudoTerminal()
    var rig = SourceHarness(ReceiverSource(.serial(path: line.device, baud: 19_200), settings: settings()))
    let sending = send(on: line, at: speed_t(B4800))
    let problem = await rig.problem(.notUnderstood)
    #expect(problem?.message == "understand \(line.device): bytes come that make no sense at 19200 baud")
    #expect(line.speed == speed_t(B19200))
    sending.cancel()
    _ = await rig.end()
  }

  @Test func unreadableBytesAtAnySpeedAreReported() async throws {
    let line = try PseudoTerminal()
    var rig = SourceHarness(ReceiverSource(.serial(path: line.device), settings: settings()))
    let sending = send(on: line, at: 0xFFFF)
    let problem = await rig.problem(.notUnderstood)
    #expect(problem?.message.hasPrefix("understand \(line.device): no speed from 4800 to 460800") == true)
    sending.cancel()
    _ = await rig.end()
  }
}
