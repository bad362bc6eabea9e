import EngineTestSupport
import Testing
import Whereabouts
import WhereaboutsTesting

/// One sentence of what Whereabouts promises, and a scene that shows it with a manager, its clock and its source.
struct ManagerConformanceCase: Sendable, CustomTestStringConvertible {
  /// What a scene has at hand.
  struct Fixture: Sendable {
    let clock: StepClock
    let source: ScriptedSource
    let manager: LocationManager
  }

  let summary: String
  let settings: ManagerSettings
  let needs: AuthorizationNeeds
  private let body: @Sendable (Fixture) async throws -> Void

  init(
    _ claim: String, settings: ManagerSettings = ManagerSettings(), needs: AuthorizationNeeds = .none,
    _ scene: @escaping @Sendable (Fixture) async throws -> Void
  ) {
    self.summary = claim
    self.settings = settings
    self.needs = needs
    self.body = scene
  }

  var testDescription: String { summary }

  /// Plays the scene, on a host whose wall clock is right to begin with.
  func run() async throws {
    let clock = StepClock(wall: utc(0))
    let source = ScriptedSource(authorizationNeeds: needs)
    let manager = LocationManager(source: source, clock: clock.managerClock, settings: settings)
    try await body(Fixture(clock: clock, source: source, manager: manager))
  }
}
