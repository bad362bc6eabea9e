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
    #expect(log.message(for: Self.status(.working, .connecting))?.text == nil)
    let first = log.message(for: Self.status(.unavailable(Self.unreachable), .failed))
    #expect(first?.level == .warning)
    #expect(
      first?.text == "the source of this machine gives no fixes: could not reach gpsd. Start gpsd.")
    // Each request makes the source try again.
    #expect(log.message(for: Self.status(.working, .failed))?.text == nil)
    #expect(log.message(for: Self.status(.failed(Self.unreachable), .failed))?.text == nil)
    let noSky = SourceProblem(.noPosition, message: "see enough satellites")
    #expect(log.message(for: Self.status(.unavailable(noSky), .noFix))?.text == nil)
    #expect(
      log.message(for: Self.status(.working, .ok))?.text == "the source of this machine gives fixes")
    #expect(log.message(for: Self.status(.working, .ok))?.text == nil)
  }

  @Test func refusedPermissionIsLogged() {
    var log = SourceStateLog()
    let refused = Authorization(.denied, noticesChanges: false, remedy: "Join the group dialout.")
    let message = log.message(for: ServiceStatus(authorization: refused))
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
}
