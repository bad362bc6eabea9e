import WhereaboutsModel

/// A detector of turns, by the courses of fixes.
struct TurnDetector: Sendable, Hashable, Codable {
  /// The least speed, in metres per second, at which a course is meaningful: a common velocity error of 0.2 m/s turns
  /// this speed by 22 degrees.
  static let leastSpeed = 0.5

  /// The least turn that counts, in degrees.
  let turn: Double
  private var course: Double?

  init(turn: Double) {
    // Terms may be changed after they were made.
    self.turn = turn >= 0 ? turn : 0
  }

  /// Returns whether a fix has turned from the last recorded course. Records the first course.
  mutating func hasTurned(_ fix: Fix, isStill: Bool) -> Bool {
    guard let new = Self.course(of: fix, isStill: isStill) else { return false }
    guard let course else {
      course = new
      return false
    }
    let difference = abs(new - course)
    return min(difference, 360 - difference) >= turn
  }

  /// Records the course from which turns are measured; a fix that does not move leaves it unchanged.
  mutating func record(_ fix: Fix, isStill: Bool) {
    if let new = Self.course(of: fix, isStill: isStill) { course = new }
  }

  mutating func reset() { course = nil }

  private static func course(of fix: Fix, isStill: Bool) -> Double? {
    guard !isStill, let speed = fix.speed, speed >= leastSpeed else { return nil }
    return fix.course
  }
}
