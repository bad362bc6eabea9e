import WhereaboutsCore

/// Metres climbed and descended, noise taken out, and how low and high it was.
struct ClimbMeter: Sendable {
  private(set) var lowest: Double?
  private(set) var highest: Double?
  private var meter = AscentMeter()

  var ascent: Double { meter.ascent }
  var descent: Double { meter.descent }

  /// Takes a height in, in metres above any one surface, and its accuracy where that is known.
  mutating func add(height: Double, accuracy: Double?) {
    lowest = min(lowest ?? height, height)
    highest = max(highest ?? height, height)
    meter.take(height: height, accuracy: accuracy)
  }

  /// What comes next is a journey of its own: the change of height until then does not count.
  mutating func interrupt() {
    meter.breakOff()
  }
}
