import WhereaboutsModel

/// The values of sentences that are not sent for every instant, each held for ten seconds.
///
/// Many receivers send GSA and GSV every few seconds only, or one GSV each second in turn.
struct RecentValues {
  struct Dilutions {
    var horizontal: Double?
    var vertical: Double?
    var position: Double?
  }

  private var mode: Fix.Mode?
  private var modeSecond = Self.unknown
  private var dilutions = Dilutions()
  private var dilutionSecond = Self.unknown

  /// The number of satellites in view by satellite system, and the second of the day of each report.
  private var viewCounts = SIMD8<UInt8>()
  private var viewSeconds = SIMD8<Int32>(repeating: Self.never)
  /// The reported satellite systems, one bit for each.
  private var knownViews: UInt8 = 0

  private static let maxAge: Int32 = 10
  /// The second of a time that is not known; it counts as any.
  private static let unknown: Int32 = -1
  private static let never: Int32 = -2

  @inline(__always)
  private static func second(_ time: TimeOfDay?) -> Int32 {
    time.map { Int32(truncatingIfNeeded: $0.nanoseconds / 1_000_000_000) } ?? unknown
  }

  @inline(__always)
  private static func isFresh(_ then: Int32, at now: Int32) -> Bool {
    if then == unknown || now == unknown { return true }
    // Around midnight as well.
    let elapsed = (now &- then).magnitude
    return elapsed <= UInt32(maxAge) || elapsed >= UInt32(86_400 - maxAge)
  }

  /// Returns the last mode.
  func mode(at time: TimeOfDay?) -> Fix.Mode? {
    Self.isFresh(modeSecond, at: Self.second(time)) ? mode : nil
  }

  /// Returns the last dilutions.
  @inline(__always)
  func dilutions(at time: TimeOfDay?) -> Dilutions? {
    Self.isFresh(dilutionSecond, at: Self.second(time)) ? dilutions : nil
  }

  /// Returns the satellites in view of all systems together; `nil` if unknown.
  @inline(__always)
  func satellitesInView(at time: TimeOfDay?) -> UInt8? {
    let now = Self.second(time)
    var sum = 0, isKnown = false
    var remaining = knownViews
    while remaining != 0 {
      let slot = remaining.trailingZeroBitCount
      remaining &= remaining &- 1
      guard Self.isFresh(viewSeconds[slot], at: now) else { continue }
      sum &+= Int(viewCounts[slot])
      isKnown = true
    }
    return isKnown ? UInt8(clamping: sum) : nil
  }

  /// Updates the values at the end of an instant with a fix.
  @inline(__always)
  mutating func update(from epoch: Epoch) {
    if epoch.altitude != nil || epoch.heightAboveEllipsoid != nil {
      mode = .threeD
      modeSecond = Self.second(epoch.time)
    } else if let stated = epoch.mode {
      mode = stated
      modeSecond = Self.second(epoch.time)
    }
    if epoch.horizontalDilution != nil || epoch.verticalDilution != nil || epoch.positionDilution != nil {
      dilutions = Dilutions(
        horizontal: epoch.horizontalDilution, vertical: epoch.verticalDilution,
        position: epoch.positionDilution)
      dilutionSecond = Self.second(epoch.time)
    }
  }

  /// Clears the values of the solution: the receiver has no fix.
  mutating func clearSolution() {
    mode = nil
    dilutions = Dilutions()
  }

  /// Begins a list of satellites in view.
  @inline(__always)
  mutating func process(_ gsv: GSV, talker: Talker, at time: TimeOfDay?) {
    guard gsv.index == 1, let count = gsv.satelliteCount else { return }
    let slot = Int(talker.viewSlot), now = Self.second(time)
    // One list for each signal of the same satellites: the longest counts.
    let isSameInstant = viewSeconds[slot] == now
    viewCounts[slot] = max(isSameInstant ? viewCounts[slot] : 0, UInt8(clamping: count))
    viewSeconds[slot] = now
    knownViews |= 1 &<< UInt8(slot)
  }
}

extension Talker {
  /// The satellite system of a talker's list.
  @inline(__always)
  fileprivate var viewSlot: UInt8 {
    switch self {
    case .gp: 0
    case .gl: 1
    case .ga: 2
    case .gb, .bd: 3
    case .gq, .qz, .pq: 4
    case .gi: 5
    default: 6
    }
  }
}
