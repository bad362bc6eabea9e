import EngineBench
import Testing
import Whereabouts
import WhereaboutsTesting

/// One sentence of what Whereabouts promises, and a scene that shows it with a manager, its clock and its source.
struct ManagerRow: Sendable, CustomTestStringConvertible {
  /// What a scene has at hand.
  struct Stage: Sendable {
    let clock: StepClock
    let source: ScriptedSource
    let manager: LocationManager
  }

  let claim: String
  let settings: ManagerSettings
  let needs: AuthorizationNeeds
  private let scene: @Sendable (Stage) async throws -> Void

  init(
    _ claim: String, settings: ManagerSettings = ManagerSettings(), needs: AuthorizationNeeds = .none,
    _ scene: @escaping @Sendable (Stage) async throws -> Void
  ) {
    self.claim = claim
    self.settings = settings
    self.needs = needs
    self.scene = scene
  }

  var testDescription: String { claim }

  /// Plays the scene, on a host whose wall clock is right to begin with.
  func play() async throws {
    let clock = StepClock(wall: utc(0))
    let source = ScriptedSource(authorizationNeeds: needs)
    let manager = LocationManager(source: source, clock: clock.managerClock, settings: settings)
    try await scene(Stage(clock: clock, source: source, manager: manager))
  }
}
