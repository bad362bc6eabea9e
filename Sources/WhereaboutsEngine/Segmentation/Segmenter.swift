package import WhereaboutsModel

/// A segmenter: divides a device's past into visits, journeys and gaps, from its fixes.
///
/// Fixes may be added in any order. A fix in its order of time costs one step. A late fix, or a better one of a known
/// time, restores the checkpoint before it; all later fixes are processed again. The segments are then the same as
/// those of all fixes sorted by time. A fix that is older than the oldest checkpoint, or without a time, is left out.
package struct Segmenter: Sendable {
  /// A change of the segments.
  package enum Change: Hashable, Sendable {
    /// A segment is new, or a segment of this identifier is now this.
    case set(Segment)
    /// A segment is withdrawn: later evidence contradicts it.
    case removed(SegmentID)
  }

  private struct Checkpoint: Sendable {
    var state: State
    /// The number of fixes, among those kept, that the state includes.
    var fixes: Int
    /// The number of settled segments, among those kept.
    var segments: Int
  }

  private struct State: Sendable {
    var estimator = SampleEstimator()
    var pass: SegmentationPass
    var lastTime: UTCTime?
  }

  /// The settings.
  package let settings: SegmenterSettings

  /// The time up to which late fixes are left out, that of the oldest checkpoint; `nil` while all are processed.
  package var settledTime: UTCTime? { checkpoints.first?.state.lastTime }

  private var state: State
  private var fixes: [Fix] = []
  /// The settled segments since the oldest checkpoint.
  private var settled: [Segment] = []
  private var checkpoints: [Checkpoint] = []
  private let keepsHistory: Bool

  /// Fixes between two checkpoints, and the greatest number of checkpoints.
  private static let interval = 512, maximumCheckpoints = 24

  /// Creates a segmenter.
  ///
  /// - Parameters:
  ///   - settings: the settings.
  ///   - revises: whether late fixes revise segments. Otherwise fixes must be added in the order of time, and late ones
  ///     are left out.
  package init(_ settings: SegmenterSettings = .standard, revises: Bool = true) {
    self.settings = settings
    keepsHistory = revises
    state = State(pass: SegmentationPass(settings))
    checkpoints = [Checkpoint(state: state, fixes: 0, segments: 0)]
  }

  /// Returns the segments of fixes in the order of time.
  package static func segments(
    of fixes: some Sequence<Fix>, settings: SegmenterSettings = .standard
  ) -> [Segment] {
    var segmenter = Segmenter(settings, revises: false)
    var segments: [Segment] = []
    for fix in fixes { for case .set(let segment) in segmenter.handle(fix) { segments.append(segment) } }
    return segments + segmenter.openSegments
  }

  /// Processes a fix, and returns the changes of settled segments, in the order of time.
  package mutating func handle(_ fix: Fix) -> [Change] {
    guard let time = fix.time else { return [] }
    if let last = state.lastTime, time <= last { return revise(fix, at: time) }
    let new = advance(fix, at: time)
    return new.isEmpty ? [] : new.map(Change.set)
  }

  /// The segments that later fixes may change: the last ones, as they are now.
  package var openSegments: [Segment] {
    var copy = state
    copy.estimator.finish { copy.pass.process($0) }
    return copy.pass.finish()
  }

  private mutating func advance(_ fix: Fix, at time: UTCTime) -> [Segment] {
    state.estimator.process(fix) { state.pass.process($0) }
    state.lastTime = time
    let new = state.pass.drainSegments()
    guard keepsHistory else { return new }
    fixes.append(fix)
    settled += new
    if fixes.count - (checkpoints.last?.fixes ?? 0) >= Self.interval { addCheckpoint() }
    return new
  }

  private mutating func addCheckpoint() {
    checkpoints.append(Checkpoint(state: state, fixes: fixes.count, segments: settled.count))
    guard checkpoints.count > Self.maximumCheckpoints else { return }
    checkpoints.removeFirst()
    let first = checkpoints[0]
    fixes.removeFirst(first.fixes)
    settled.removeFirst(first.segments)
    for index in checkpoints.indices {
      checkpoints[index].fixes -= first.fixes
      checkpoints[index].segments -= first.segments
    }
  }

  /// Processes a fix that is not later than those before.
  private mutating func revise(_ fix: Fix, at time: UTCTime) -> [Change] {
    guard keepsHistory,
      let index = checkpoints.lastIndex(where: { $0.state.lastTime.map { $0 < time } ?? true })
    else { return [] }
    let checkpoint = checkpoints[index]
    var later = Array(fixes[checkpoint.fixes...])
    let place = later.firstIndex { $0.time.map { $0 >= time } ?? false } ?? later.count
    if place < later.count, later[place].time == time {
      guard FixReorderBuffer.isBetter(fix, than: later[place]) else { return [] }
      later[place] = fix
    } else {
      later.insert(fix, at: place)
    }
    let before = Array(settled[checkpoint.segments...])
    checkpoints.removeSubrange((index + 1)...)
    fixes.removeSubrange(checkpoint.fixes...)
    settled.removeSubrange(checkpoint.segments...)
    state = checkpoint.state
    var after: [Segment] = []
    for fix in later { if let time = fix.time { after += advance(fix, at: time) } }
    return Self.changes(from: before, to: after)
  }

  private static func changes(from before: [Segment], to after: [Segment]) -> [Change] {
    let new = Set(after.map(\.id)), old = Set(before)
    return before.filter { !new.contains($0.id) }.map { .removed($0.id) }
      + after.filter { !old.contains($0) }.map { .set($0) }
  }
}
