/// Metres climbed and descended, counted in steps large enough not to be noise.
///
/// A height counts once it is ``step`` away from the last one that counted. A receiver's height wanders by some metres
/// while it stands still; summing each change would climb a mountain overnight.
struct ClimbMeter: Sendable {
  /// The smallest change of height that counts, in metres.
  static let step = 5.0

  private(set) var ascent = 0.0
  private(set) var descent = 0.0
  private(set) var lowest: Double?
  private(set) var highest: Double?
  private var reference: Double?

  /// Takes a height in, in metres above any one surface.
  mutating func add(height: Double) {
    lowest = min(lowest ?? height, height)
    highest = max(highest ?? height, height)
    guard let reference else {
      reference = height
      return
    }
    let change = height - reference
    guard change.magnitude >= Self.step else { return }
    if change > 0 { ascent += change } else { descent -= change }
    self.reference = height
  }

  /// What comes next is a journey of its own: the change of height until then does not count.
  mutating func interrupt() {
    reference = nil
  }
}
