/// Whether the device has turned since it was last looked at, by the courses of its fixes.
struct TurnWatch: Sendable, Hashable, Codable {
  /// The least speed, in metres per second, at which a course says where the device goes: an error of 0.2 m/s in
  /// velocity, which is common, turns this by 22 degrees.
  static let leastSpeed = 0.5

  /// The least turn that counts, in degrees.
  let turn: Double
  private var course: Double?

  init(turn: Double) {
    // Terms may be changed after they were made.
    self.turn = turn >= 0 ? turn : 0
  }

  /// Whether a fix goes another way than the one last noted. The first that goes anywhere is noted.
  mutating func isTurned(_ fix: Fix, isStill: Bool) -> Bool {
    guard let new = Self.course(of: fix, isStill: isStill) else { return false }
    guard let course else {
      course = new
      return false
    }
    let difference = abs(new - course)
    return min(difference, 360 - difference) >= turn
  }

  /// Turns are measured from this fix on; one that does not move leaves it as it was.
  mutating func note(_ fix: Fix, isStill: Bool) {
    if let new = Self.course(of: fix, isStill: isStill) { course = new }
  }

  mutating func forget() { course = nil }

  private static func course(of fix: Fix, isStill: Bool) -> Double? {
    guard !isStill, let speed = fix.speed, speed >= leastSpeed else { return nil }
    return fix.course
  }
}
