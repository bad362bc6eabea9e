import WhereaboutsModel

extension MotionModel {
  /// The model for fences, where the sides of boundaries are decided before anything is known of the device or its
  /// receiver.
  ///
  /// Monitoring begins near a fence and must be right within seconds, so the model lets a device turn at once. It does
  /// not trust a receiver's stated accuracy where the fixes contradict it, since a wrong event is worse than a late
  /// one.
  static let fences: MotionModel = {
    var model = MotionModel()
    model.initialAgility = 0.5
    // A moving device has other reflections every few seconds; an error that lasts longer at rest causes no crossing.
    model.errorMemory = 30
    // Nothing looks back for manoeuvres here.
    model.leastAgilityBetweenManoeuvres = model.leastAgility
    // `FenceTracker.accepts` tests a fix beyond a boundary as an outlier before the filter processes it.
    model.followsManoeuvresAtOnce = true
    model.speedDeviationByAccuracy = 0.02
    model.learnsSpeedNoise = false
    model.inflatesAccuracyAfterJumps = true
    return model
  }()
}

extension MotionModel: Codable {
  /// Decodes one of the two models in use.
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

  /// Encodes nothing for ``fences``; for an odometer's model the activity, or if that is unknown, the greatest speed.
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
