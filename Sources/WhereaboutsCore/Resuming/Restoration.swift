/// What an engine goes on with that another process has left behind.
///
/// The state of a moment, and the fixes that were taken after it. Gone through again they lead to where the other engine
/// was when it ended; what it had told of them is not told again.
public struct Restoration: Hashable, Sendable, Codable {
  /// The fences and what the device had seen of them; `nil` where there were none.
  public var fences: FenceSnapshot?
  /// What was counted under names; a tracker of such a name goes on with it.
  public var trips: [TripSnapshot]
  /// The fixes that were taken after that, in the order in which they were.
  public var since: [SeenFix]
  /// Until when everything that was due had been told, by the clock of the fixes; `nil` where that is not known.
  public var passed: UTCTime?
  /// The last event that was told; `nil` where there was none.
  public var lastEvent: FenceEvent.ID?
  /// The last fix that was used. It comes back as old as it is.
  public var lastFix: Fix?
  /// The last spell of the receiver; those to come have greater numbers.
  public var lastSpell: ReceiverSpell?

  /// What was left behind.
  public init(
    fences: FenceSnapshot? = nil, trips: [TripSnapshot] = [], since: [SeenFix] = [], passed: UTCTime? = nil,
    lastEvent: FenceEvent.ID? = nil, lastFix: Fix? = nil,
    lastSpell: ReceiverSpell? = nil
  ) {
    self.fences = fences
    self.trips = trips
    self.since = since
    self.passed = passed
    self.lastEvent = lastEvent
    self.lastFix = lastFix
    self.lastSpell = lastSpell
  }

  /// Whether nothing was left.
  public var isEmpty: Bool {
    fences == nil && trips.isEmpty && since.isEmpty && passed == nil && lastEvent == nil && lastFix == nil
      && lastSpell == nil
  }
}
