import EngineTestSupport
import Testing
import Whereabouts
import WhereaboutsTesting

/// One promise of Whereabouts, with a scenario that checks it on a manager with a test clock and source.
struct ManagerConformanceCase: Sendable, CustomTestStringConvertible {
  /// The manager, clock and source of a scenario.
  struct Fixture: Sendable {
    let clock: StepClock
    let source: ScriptedSource
    let manager: LocationManager
  }

  let summary: String
  let settings: ManagerSettings
  let needs: Authorization.Needs
  private let body: @Sendable (Fixture) async throws -> Void

  init(
    _ claim: String, settings: ManagerSettings = ManagerSettings(), needs: Authorization.Needs = .none,
    _ scene: @escaping @Sendable (Fixture) async throws -> Void
  ) {
    self.summary = claim
    self.settings = settings
    self.needs = needs
    self.body = scene
  }

  var testDescription: String { summary }

  /// Runs the scenario on a host with a correct wall clock at first.
  func run() async throws {
    let clock = StepClock(wall: utc(0))
    let source = ScriptedSource(authorizationNeeds: needs)
    let manager = LocationManager(source: source, clock: clock.managerClock, settings: settings)
    try await body(Fixture(clock: clock, source: source, manager: manager))
  }
}
