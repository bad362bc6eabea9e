import WhereaboutsEngine
import Testing
import Whereabouts

/// One promise of Whereabouts, with a scenario that checks it on an engine.
struct EngineConformanceCase: Sendable, CustomTestStringConvertible {
  let summary: String
  let settings: EngineSettings
  private let body: @Sendable (inout EngineScenario) throws -> Void

  init(
    _ claim: String, settings: EngineSettings = EngineSettings(),
    _ scene: @escaping @Sendable (inout EngineScenario) throws -> Void
  ) {
    self.summary = claim
    self.settings = settings
    self.body = scene
  }

  var testDescription: String { summary }

  func run() throws {
    var stage = EngineScenario(settings: settings)
    try body(&stage)
  }
}

extension EngineSettings {
  /// Settings with a permission that is required and not yet requested.
  static func needingAuthorization(for level: Authorization.Level? = .whenInUse) -> EngineSettings {
    EngineSettings(authorization: .needed(asking: level))
  }
}
