import WhereaboutsEngine

/// The ascent and descent without noise, and the lowest and highest height, in metres.
struct ClimbMeter: Sendable {
  private(set) var lowest: Double?
  private(set) var highest: Double?
  private var meter = AscentMeter()

  var ascent: Double { meter.ascent }
  var descent: Double { meter.descent }

  /// Adds a height in metres above any constant surface, with its accuracy if known.
  mutating func add(height: Double, accuracy: Double?) {
    lowest = min(lowest ?? height, height)
    highest = max(highest ?? height, height)
    meter.process(height: height, accuracy: accuracy)
  }

  /// Begins a new track. The height difference to the new track does not count.
  mutating func interrupt() {
    meter.endSegment()
  }
}
