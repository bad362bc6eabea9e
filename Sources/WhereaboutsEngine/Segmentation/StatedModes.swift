import WhereaboutsModel

/// The modes that the samples of a stretch state, counted.
struct StatedModes {
  /// The number of samples, with a stated mode or without one.
  private var samples = 0
  /// The number of samples of each of ``modes``.
  private var counts = SIMD8<Int32>()

  /// The modes that an activity can state.
  private static let modes: [TransportMode] = [.walking, .cycling, .driving, .rail, .flying]

  /// The greatest mean speed of a stretch, in metres per second, at which a stated mode is possible. Phones state steps
  /// in a shaking bus or train, too.
  static func greatestSpeed(of mode: TransportMode) -> Double {
    switch mode {
    case .walking: 10
    case .cycling: 25
    case .driving, .rail, .vehicle, .flying, .unknown: .infinity
    }
  }

  /// Counts a sample.
  mutating func add(_ activity: Fix.StatedActivity?) {
    samples += 1
    if let mode = activity?.mode, let index = Self.modes.firstIndex(of: mode) { counts[index] += 1 }
  }

  /// Counts the samples of another stretch.
  mutating func add(_ other: StatedModes) {
    samples += other.samples
    counts &+= other.counts
  }

  /// The mode of the stretch; `nil` unless at least half of its samples state one, and four fifths of those agree.
  var mode: TransportMode? {
    let stated = Int(counts.wrappedSum())
    guard stated > 0, stated * 2 >= samples else { return nil }
    for (index, mode) in Self.modes.enumerated() where Int(counts[index]) * 5 >= stated * 4 { return mode }
    return nil
  }
}

extension Fix.StatedActivity {
  /// The mode of a journey; `nil` for rest and for boats, of which journeys have no mode.
  fileprivate var mode: TransportMode? {
    switch self {
    case .still, .boating: nil
    case .walking, .running: .walking
    case .cycling: .cycling
    case .driving: .driving
    case .rail: .rail
    case .flying: .flying
    }
  }
}
