import WhereaboutsModel

extension RecordingBatch {
  /// Makes the impossible values of the fixes absent and counts them among the skipped elements: speeds that no
  /// vehicle reaches, and accuracies beyond the far side of the Earth.
  package mutating func removeImpossibleValues() {
    for index in elements.indices {
      guard elements[index].hasImpossibleValue, case .fix(var fix) = elements[index] else { continue }
      if let speed = fix.speed, Fix.isImpossible(speed: speed) {
        fix.speed = nil
        skippedElements.count("impossible speeds")
      }
      if let accuracy = fix.horizontalAccuracy, Fix.isImpossible(accuracy: accuracy) {
        fix.horizontalAccuracy = nil
        skippedElements.count("impossible accuracies")
      }
      if let accuracy = fix.verticalAccuracy, Fix.isImpossible(accuracy: accuracy) {
        fix.verticalAccuracy = nil
        skippedElements.count("impossible vertical accuracies")
      }
      elements[index] = .fix(fix)
    }
  }
}

extension RecordingElement {
  // Apart from the loop, so that only a fix that is changed is copied.
  fileprivate var hasImpossibleValue: Bool {
    guard case .fix(let fix) = self else { return false }
    return fix.hasImpossibleValue
  }
}

extension Fix {
  /// The greatest possible speed, in metres per second; satellites in low orbits have 7,800 m/s.
  private static let maxSpeed = 10_000.0
  /// The greatest possible accuracy, in metres: half the circumference of the Earth.
  private static let maxAccuracy = 20_037_508.0

  fileprivate var hasImpossibleValue: Bool {
    speed.map(Self.isImpossible(speed:)) ?? false
      || horizontalAccuracy.map(Self.isImpossible(accuracy:)) ?? false
      || verticalAccuracy.map(Self.isImpossible(accuracy:)) ?? false
  }

  // NaN counts as impossible.
  fileprivate static func isImpossible(speed: Double) -> Bool { !(speed <= maxSpeed) }
  fileprivate static func isImpossible(accuracy: Double) -> Bool { !(accuracy <= maxAccuracy) }
}
