extension MotionModel {
  /// What is assumed where sides of boundaries are decided, with nothing seen yet of the device or its receiver.
  ///
  /// A watch begins near a fence and must be right within seconds, so a device may turn at once; and it must not take a
  /// receiver's word where its fixes contradict it, since a wrong event is worse than a late one.
  static let fences: MotionModel = {
    var model = MotionModel()
    model.initialAgility = 0.5
    // A device that moves sees other reflections every few seconds; what lasts longer at rest moves no device across.
    model.errorMemory = 30
    model.speedDeviationByAccuracy = 0.02
    model.doubtsAccuracy = true
    return model
  }()
}

extension MotionModel: Codable {
  /// There is one model that is ever written, as part of a watch over fences: ``fences``. So nothing is read.
  package init(from decoder: any Decoder) throws { self = .fences }

  /// Writes nothing.
  package func encode(to encoder: any Encoder) throws {
    var value = encoder.singleValueContainer()
    try value.encodeNil()
  }
}
