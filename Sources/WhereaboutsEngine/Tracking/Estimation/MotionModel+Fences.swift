import WhereaboutsModel

extension MotionModel {
  /// What is assumed where sides of boundaries are decided, with nothing seen yet of the device or its receiver.
  ///
  /// A watch begins near a fence and must be right within seconds, so a device may turn at once; and it must not take
  /// a receiver's word where its fixes contradict it, since a wrong event is worse than a late one.
  static let fences: MotionModel = {
    var model = MotionModel()
    model.initialAgility = 0.5
    // A device that moves sees other reflections every few seconds; what lasts longer at rest moves no device across.
    model.errorMemory = 30
    model.speedDeviationByAccuracy = 0.02
    model.inflatesAccuracyAfterJumps = true
    return model
  }()
}

extension MotionModel: Codable {
  /// Reads which of the two models that are in use was written.
  package init(from decoder: any Decoder) throws {
    let value = try decoder.singleValueContainer()
    guard !value.decodeNil() else {
      self = .fences
      return
    }
    if let activity = try? value.decode(Activity.self) {
      self.init(activity)
    } else {
      self.init()
      greatestSpeed = try value.decode(Double.self)
    }
  }

  /// Writes nothing for ``fences``; for an odometer's the activity, or where none is known the greatest speed.
  package func encode(to encoder: any Encoder) throws {
    var value = encoder.singleValueContainer()
    if self == .fences {
      try value.encodeNil()
    } else if activity != .other {
      try value.encode(activity)
    } else {
      try value.encode(greatestSpeed)
    }
  }
}
