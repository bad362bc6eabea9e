/// A copy of the live tracker that becomes the settled one, so that most fixes are processed only once.
///
/// Both trackers process the same fixes in the same order, so the settled one reaches the state of the copy. That holds
/// while the live one changes by nothing but fixes, and the fences do not change. After another change, the settled
/// tracker processes each fix itself until it equals a copy.
///
/// All checkpoints are equal: they are no part of the value of a watch.
struct FenceCheckpoint: Hashable, Sendable {
  /// Whether the settled tracker becomes equal to the live one by the pending fixes.
  var isExact = false
  /// The copy; empty until the next one is made.
  var tracker: [FenceTracker] = []
  /// The number of pending fixes that the copy has processed; 0 without a copy.
  var fixCount = 0
  /// The number of pending fixes that are settled, and that the settled tracker has yet to process.
  var settledCount = 0
  /// The number of fixes since the last copy was made.
  var age = 0
  /// Whether the settled tracker, or the live one since, may have held back an event for the hours of its fence; and
  /// the same for the copy. Only then does their state tell more of an event than the time of its fix. Unknown in a
  /// decoded watch.
  private(set) var mayHoldBack = true
  private var copyMayHoldBack = true

  /// A checkpoint of two trackers without fixes.
  static var initial: FenceCheckpoint {
    var checkpoint = FenceCheckpoint()
    checkpoint.isExact = true
    checkpoint.mayHoldBack = false
    return checkpoint
  }

  /// The least number of fixes between two copies, except for those of events. A copy costs about as much as one fix.
  static let interval = 16

  /// Whether a copy is to be made.
  var isDue: Bool { age >= Self.interval && tracker.isEmpty }

  /// Whether the settled tracker would now be equal to the copy.
  var isReached: Bool { isExact && fixCount > 0 && settledCount >= fixCount }

  /// Copies the live tracker, instead of an earlier copy.
  mutating func copy(_ live: FenceTracker, after fixCount: Int) {
    removeCopy()
    tracker.append(live)
    copyMayHoldBack = live.holdsBackAny
    self.fixCount = fixCount
    age = 0
  }

  /// Replaces the settled tracker by the copy.
  mutating func replace(_ settled: inout [FenceTracker]) {
    swap(&settled, &tracker)
    settledCount -= fixCount
    mayHoldBack = copyMayHoldBack
    removeCopy()
  }

  /// Compares the copy with the settled tracker after the same fix.
  mutating func compare(with settled: [FenceTracker]) {
    isExact = tracker == settled
    if isExact { mayHoldBack = copyMayHoldBack }
    removeCopy()
  }

  /// Removes the settled fixes, which the settled tracker has processed.
  mutating func removeSettled() {
    fixCount = max(0, fixCount - settledCount)
    settledCount = 0
  }

  /// Records the output of a tracker.
  mutating func record(_ output: FenceTrackerOutput) {
    guard output.hasHeldBack else { return }
    mayHoldBack = true
    copyMayHoldBack = true
  }

  /// Removes all fixes, because the settled tracker becomes the live one, with the events that it holds back.
  mutating func removeAll() {
    let mayHoldBack = mayHoldBack
    self = .initial
    self.mayHoldBack = mayHoldBack
  }

  /// Discards the copy, because the live tracker changes without a fix.
  mutating func discard() {
    isExact = false
    removeCopy()
  }

  private mutating func removeCopy() {
    tracker.removeAll(keepingCapacity: true)
    fixCount = 0
  }

  static func == (left: Self, right: Self) -> Bool { true }
  func hash(into hasher: inout Hasher) {}
}
