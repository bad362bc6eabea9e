import WhereaboutsGeodesy

/// A check for fixes that one device can't have given: single ones, and those of a second device.
///
/// The check follows two tracks. A fix out of reach of the main track begins the side track. A fix that is back on the
/// main track, and out of reach of the side track, proves both. Many such returns are a second device; few are false
/// places.
struct ContinuityCheck {
  /// The fixes in a row off the main track after which it continues there: a move that the fixes do not show.
  private static let longestExcursion = 30
  /// The fixes in a row that can be false places.
  private static let longestTeleport = 4
  /// Returns and fixes that prove a second device.
  private static let leastReturns = 4, leastSideCount = 8
  /// The least share of the second device's fixes in its span.
  private static let leastShare = 0.1
  /// The time in seconds after which a side track ends, without and with proof of a second device.
  private static let shortMemory = 7_200.0, longMemory = 86_400.0

  private struct Side {
    var last: PastFix
    var returns = 0
    /// The fixes of the present excursion.
    var run = 1
    /// The keys before the present excursion.
    var provenCount = 0
    /// The fixes of both tracks since the beginning.
    var all = 1
    var longestProvenRun = 0

    var isSecondDevice: Bool {
      returns >= ContinuityCheck.leastReturns && provenCount >= ContinuityCheck.leastSideCount
        && Double(provenCount) >= ContinuityCheck.leastShare * Double(all)
    }
  }

  private var main: PastFix?
  private var side: Side?
  /// The fixes of the side track. Beside it, so that no copy of the side copies them.
  private var sideKeys: [PastFix.Key] = []
  private(set) var teleports: [PastFix.Key] = []
  private(set) var mixed: [PastFix.Key] = []
  private(set) var stretches = 0

  mutating func process(_ fix: PastFix) {
    guard let main else {
      self.main = fix
      return
    }
    expireSide(at: fix)
    side?.all += 1
    let isOnMain = fix.isReachable(from: main)
    guard var side else {
      if isOnMain { self.main = fix } else { beginSide(at: fix, run: 1) }
      return
    }
    let isOnSide = fix.isReachable(from: side.last)
    if isOnMain, isOnSide {
      processAmbiguous(fix, main, side)
    } else if isOnMain {
      if side.run > 0 {
        side.returns += 1
        side.longestProvenRun = max(side.longestProvenRun, side.run)
        side.provenCount = sideKeys.count
        side.run = 0
      }
      self.side = side
      self.main = fix
    } else if isOnSide {
      add(fix, to: side)
    } else if side.isSecondDevice {
      // Out of reach of both: a false place.
      teleports.append(fix.key)
    } else {
      endSide()
      beginSide(at: fix, run: side.run + 1)
      if side.run + 1 > Self.longestExcursion { continueAtSide() }
    }
  }

  private mutating func processAmbiguous(_ fix: PastFix, _ main: PastFix, _ side: Side) {
    if side.isSecondDevice {
      let isNearerToSide =
        fix.coordinate.distance(to: side.last.coordinate) < fix.coordinate.distance(to: main.coordinate)
      if isNearerToSide { add(fix, to: side) } else { self.main = fix }
      return
    }
    // A device may have been at both: the excursion proves nothing.
    if side.run > 0 { endSide() }
    self.main = fix
  }

  private mutating func add(_ fix: PastFix, to side: Side) {
    var side = side
    side.last = fix
    sideKeys.append(fix.key)
    side.run += 1
    self.side = side
    if !side.isSecondDevice, side.run > Self.longestExcursion { continueAtSide() }
  }

  private mutating func beginSide(at fix: PastFix, run: Int) {
    side = Side(last: fix, run: run)
    sideKeys = [fix.key]
  }

  private mutating func continueAtSide() {
    guard let last = side?.last else { return }
    endSide()
    main = last
  }

  private mutating func expireSide(at fix: PastFix) {
    guard let side else { return }
    let memory = side.isSecondDevice ? Self.longMemory : Self.shortMemory
    if fix.seconds(after: side.last) > memory {
      endSide()
    } else if let main, fix.seconds(after: main) > memory {
      continueAtSide()
    }
  }

  private mutating func endSide() {
    guard let side else { return }
    self.side = nil
    if side.isSecondDevice {
      mixed += sideKeys
      stretches += 1
    } else if side.longestProvenRun <= Self.longestTeleport {
      teleports += sideKeys.prefix(side.provenCount)
    }
    sideKeys = []
  }

  mutating func finish() { endSide() }
}
