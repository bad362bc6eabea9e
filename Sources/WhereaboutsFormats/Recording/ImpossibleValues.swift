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

extension Omissions {
  /// Makes the values of a fix that mean "unknown" absent and counts them: numbers that are not finite, negative
  /// speeds, accuracies and dilutions, and courses outside 0° to 360°. A course of 360° becomes 0°.
  ///
  /// Every writer applies this rule.
  mutating func removeImpossibleValues(of fix: inout Fix) {
    guard fix.hasUnknownValue else { return }
    removeNegative(&fix.horizontalAccuracy)
    removeNegative(&fix.verticalAccuracy)
    removeNegative(&fix.speed)
    removeNegative(&fix.speedAccuracy)
    removeNegative(&fix.courseAccuracy)
    removeNegative(&fix.horizontalDilution)
    removeNegative(&fix.verticalDilution)
    removeNegative(&fix.positionDilution)
    remove(&fix.heightAboveGeoid) { !$0.isFinite }
    remove(&fix.heightAboveEllipsoid) { !$0.isFinite }
    remove(&fix.climb) { !$0.isFinite }
    remove(&fix.course) { !(0...360).contains($0) }
    if fix.course == 360 { fix.course = 0 }
  }

  private mutating func removeNegative<Value: BinaryFloatingPoint>(_ value: inout Value?) {
    remove(&value) { Fix.isUnknown($0) }
  }

  private mutating func remove<Value>(_ value: inout Value?, if isImpossible: (Value) -> Bool) {
    guard let number = value, isImpossible(number) else { return }
    value = nil
    count(.impossibleValue)
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

  /// Whether any value means "unknown", or is a course of 360°: whether `Omissions.removeImpossibleValues(of:)` changes
  /// the fix.
  var hasUnknownValue: Bool {
    Self.isUnknown(horizontalAccuracy) || Self.isUnknown(verticalAccuracy) || Self.isUnknown(speed)
      || Self.isUnknown(speedAccuracy) || Self.isUnknown(courseAccuracy) || Self.isUnknown(horizontalDilution)
      || Self.isUnknown(verticalDilution) || Self.isUnknown(positionDilution)
      || Self.isNotFinite(heightAboveGeoid) || Self.isNotFinite(heightAboveEllipsoid)
      || Self.isNotFinite(climb) || Self.isNoCourse(course)
  }

  fileprivate var hasImpossibleValue: Bool {
    speed.map(Self.isImpossible(speed:)) ?? false
      || horizontalAccuracy.map(Self.isImpossible(accuracy:)) ?? false
      || verticalAccuracy.map(Self.isImpossible(accuracy:)) ?? false
  }

  @inline(__always)
  fileprivate static func isUnknown<Value: BinaryFloatingPoint>(_ value: Value?) -> Bool {
    value.map { !($0 >= 0 && $0.isFinite) } ?? false
  }

  @inline(__always)
  private static func isNotFinite(_ value: Double?) -> Bool { value.map { !$0.isFinite } ?? false }

  @inline(__always)
  private static func isNoCourse(_ value: Double?) -> Bool { value.map { !(0..<360).contains($0) } ?? false }

  // NaN counts as impossible.
  static func isImpossible(speed: Double) -> Bool { !(speed <= maxSpeed) }
  fileprivate static func isImpossible(accuracy: Double) -> Bool { !(accuracy <= maxAccuracy) }
}
