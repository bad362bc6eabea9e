import Logging
import Testing
import WhereaboutsModel

@testable import WhereaboutsServer

@Suite struct SourceStateLogTests {
  private static let unreachable = SourceProblem(
    .unreachable, message: "reach gpsd", remedy: "Start gpsd.")

  private static func status(_ source: ServiceStatus.Source, _ state: SourceHealth.State) -> ServiceStatus {
    var status = ServiceStatus(authorization: Authorization(.always), source: source)
    status.sources = [SourceHealth(name: "gpsd", state: state, since: Moment(instant: .start, wall: nil))]
    return status
  }

  @Test func eachCauseAndTheFirstFixAfterItAreLogged() {
    var log = SourceStateLog()
    func message(
      _ source: ServiceStatus.Source, _ state: SourceHealth.State
    ) -> (level: Logger.Level, text: String)? {
      log.message(for: Self.status(source, state), at: .start)
    }
    #expect(message(.working, .connecting)?.text == nil)
    let first = message(.unavailable(Self.unreachable), .failed)
    #expect(first?.level == .warning)
    #expect(first?.text == "the source of this machine gives no fixes: could not reach gpsd. Start gpsd.")
    // Each request makes the source try again.
    #expect(message(.working, .failed)?.text == nil)
    #expect(message(.failed(Self.unreachable), .failed)?.text == nil)
    let noSky = SourceProblem(.noPosition, message: "see enough satellites")
    #expect(message(.unavailable(noSky), .noFix)?.text == nil)
    #expect(message(.working, .ok)?.text == "the source of this machine gives fixes")
    #expect(message(.working, .ok)?.text == nil)
  }

  @Test func sourceThatFailsAgainAndAgainIsLoggedEveryTenMinutes() {
    var log = SourceStateLog()
    var times: [Int] = []
    for second in 0..<1300 {
      let isFailed = second.isMultiple(of: 2)
      let status =
        isFailed ? Self.status(.unavailable(Self.unreachable), .failed) : Self.status(.working, .ok)
      guard let message = log.message(for: status, at: Instant(.seconds(second))) else { continue }
      times.append(second)
      let level: Logger.Level = isFailed ? .warning : .notice
      #expect(message.level == level)
    }
    #expect(times == [0, 1, 600, 601, 1200, 1201])
  }

  @Test func causeThatStillHoldsAfterTenMinutesIsLogged() {
    var log = SourceStateLog()
    let failed = Self.status(.unavailable(Self.unreachable), .failed)
    #expect(log.message(for: failed, at: .start)?.text != nil)
    #expect(log.message(for: Self.status(.working, .ok), at: Instant(.seconds(1)))?.text != nil)
    #expect(log.message(for: failed, at: Instant(.seconds(2)))?.text == nil)
    #expect(log.message(for: failed, at: Instant(.seconds(599)))?.text == nil)
    #expect(log.message(for: failed, at: Instant(.seconds(600)))?.level == .warning)
    #expect(log.message(for: failed, at: Instant(.seconds(6000)))?.text == nil, "the cause is the same")
  }

  @Test func endWithoutAProblemIsLogged() {
    var log = SourceStateLog()
    let ended = Self.status(.ended(nil), .failed)
    let message = log.message(for: ended, at: .start)
    #expect(message?.level == .notice && message?.text == "the source of this machine has ended")
    #expect(log.message(for: ended, at: Instant(.seconds(6000)))?.text == nil)
    var other = SourceStateLog()
    let failed = other.message(for: Self.status(.ended(Self.unreachable), .failed), at: .start)
    #expect(failed?.level == .warning)
  }

  @Test func refusedPermissionIsLogged() {
    var log = SourceStateLog()
    let refused = Authorization(.denied, noticesChanges: false, remedy: "Join the group dialout.")
    let message = log.message(for: ServiceStatus(authorization: refused), at: .start)
    #expect(message?.text.hasSuffix("could not use it. Join the group dialout.") == true)
  }

  @Test func serverLogsAnUnreachableSource() async throws {
    let folder = try TemporaryPlace()
    let server = try ServerProcess([
      "--listen", "127.0.0.1:0", "--source", "gpsd://127.0.0.1:1", "--store", folder.path("store.sqlite"),
    ])
    let line = try await server.line(with: "gives no fixes")
    #expect(line.contains("warning: ") && line.contains("reach gpsd at 127.0.0.1:1"), "\(line)")
  }

  @Test func serverLogsTheEndOfItsSource() async throws {
    let folder = try TemporaryPlace()
    // Its standard input is empty.
    let server = try ServerProcess([
      "--listen", "127.0.0.1:0", "--source", "nmea:-", "--store", folder.path("store.sqlite"),
    ])
    let line = try await server.line(with: "the source of this machine has ended")
    #expect(line.contains("notice: "), "\(line)")
  }
}
