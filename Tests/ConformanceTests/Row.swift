import Testing
import Whereabouts

/// One sentence of what Whereabouts promises, and a scene that shows it on a bare engine.
struct Row: Sendable, CustomTestStringConvertible {
  let claim: String
  let settings: EngineSettings
  private let scene: @Sendable (inout Scene) throws -> Void

  init(
    _ claim: String, asking: EngineSettings = EngineSettings(),
    _ scene: @escaping @Sendable (inout Scene) throws -> Void
  ) {
    self.claim = claim
    settings = asking
    self.scene = scene
  }

  var testDescription: String { claim }

  func play() throws {
    var stage = Scene(settings: settings)
    try scene(&stage)
  }
}

extension EngineSettings {
  /// A person must say yes, and has not been asked yet.
  static func person(for level: Authorization.Level? = .whenInUse) -> EngineSettings {
    EngineSettings(authorization: .needed(asking: level))
  }
}
