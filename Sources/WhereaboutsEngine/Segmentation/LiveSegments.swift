package import WhereaboutsModel

/// The segments of a device's past while fixes are added, and their changes since they were last reported.
///
/// Adding a fix costs one step of the segmenter. The open segments are computed only for ``changes(places:)``.
package struct LiveSegments: Sendable {
  private var segmenter: Segmenter
  private var settled: [SegmentID: Segment] = [:]
  /// The segments as last reported, or as they were at the beginning.
  private var reported: [SegmentID: Segment] = [:]
  /// The time of the newest fix.
  package private(set) var newestTime: UTCTime?
  /// Whether a fix was added since the last report.
  package private(set) var hasUnreportedFixes = false

  /// Segments that ended so many seconds before the newest fix are not reported at the beginning.
  private static let reportedPast = 86_400.0
  /// Segments that ended so many seconds before the newest fix are forgotten: no late fix changes them.
  private static let keptPast = 30 * 86_400.0

  /// The time up to which late fixes are left out; `nil` while all are processed.
  package var settledTime: UTCTime? { segmenter.settledTime }

  /// The start of the earliest segment that was reported and is not forgotten; `nil` if there is none.
  package var reportedStart: UTCTime? { reported.values.map(\.start).min() }

  /// Creates segments without a past.
  package init(settings: SegmenterSettings = .standard) { segmenter = Segmenter(settings) }

  /// Creates segments for another past of the same device, which continues the reports of the one before.
  package init(continuing other: LiveSegments) {
    self.init(settings: other.segmenter.settings)
    reported = other.reported
    hasUnreportedFixes = true
  }

  /// Adds a fix, in any order. A fix that is older than the segmenter's checkpoints is left out.
  package mutating func add(_ fix: Fix) {
    if let time = fix.time { newestTime = max(newestTime ?? time, time) }
    hasUnreportedFixes = true
    for change in segmenter.handle(fix) {
      switch change {
      case .set(let segment): settled[segment.id] = segment
      case .removed(let id): settled[id] = nil
      }
    }
  }

  /// Adds a stored fix, unless the engine has refused the fix as implausible.
  package mutating func add(_ logged: LoggedFix) {
    if logged.use != .implausible { add(logged.timedFix) }
  }

  /// All segments as they are now, in the order of time.
  package var segments: [Segment] {
    settled.values.sorted { $0.start < $1.start } + segmenter.openSegments
  }

  /// Whether fixes before the added ones may change a segment of the last day: the first segment may begin earlier, or
  /// a gap may precede it.
  package var mayBeginEarlier: Bool { segments.first.map(isOfLastDay) ?? true }

  /// Returns the segments that the last day touches, in the order of time, and counts all as reported.
  ///
  /// - Parameter places: the places that a person has named or merged.
  package mutating func begin(places: [Place]) -> [SegmentChange] {
    let segments = self.segments
    reported = Dictionary(segments.map { ($0.id, $0) }) { _, last in last }
    hasUnreportedFixes = false
    let found = Self.places(of: segments, kept: places)
    return segments.filter(isOfLastDay).map {
      SegmentChange(.current, id: $0.id, segment: $0, place: found[$0.id])
    }
  }

  /// Returns the changes since the last report: first withdrawals, then the rest in the order of time.
  ///
  /// - Parameter places: the places that a person has named or merged.
  package mutating func changes(places: [Place]) -> [SegmentChange] {
    guard hasUnreportedFixes else { return [] }
    hasUnreportedFixes = false
    forgetOld()
    let segments = self.segments.filter(isKept)
    let now = Dictionary(segments.map { ($0.id, $0) }) { _, last in last }
    var changes = reported.keys.filter { now[$0] == nil }.sorted().map { SegmentChange(.withdrawn, id: $0) }
    let new = segments.filter { reported[$0.id] != $0 }
    let found = new.isEmpty ? [:] : Self.places(of: segments, kept: places)
    for segment in new {
      changes.append(
        SegmentChange(
          Self.kind(from: reported[segment.id], to: segment), id: segment.id, segment: segment,
          place: found[segment.id]))
    }
    reported = now
    return changes
  }

  private func isOfLastDay(_ segment: Segment) -> Bool {
    newestTime.map { $0.seconds(since: segment.end) < Self.reportedPast } ?? true
  }

  private func isKept(_ segment: Segment) -> Bool {
    newestTime.map { $0.seconds(since: segment.end) < Self.keptPast } ?? true
  }

  private mutating func forgetOld() {
    let newest = self
    if !settled.values.allSatisfy(isKept) { settled = settled.filter { newest.isKept($0.value) } }
    if !reported.values.allSatisfy(isKept) { reported = reported.filter { newest.isKept($0.value) } }
  }

  private static func kind(from before: Segment?, to segment: Segment) -> SegmentChange.Kind {
    guard let before else { return segment.isOpen ? .opened : .closed }
    guard before.isOpen else { return .revised }
    return segment.isOpen ? .grown : .closed
  }

  private static func places(of segments: [Segment], kept: [Place]) -> [SegmentID: Place] {
    var registry = PlaceRegistry(kept), ids: [SegmentID: String] = [:]
    for case .visit(let visit) in segments { ids[visit.id] = registry.add(visit).id }
    let places = Dictionary(registry.places.map { ($0.place.id, $0.place) }) { first, _ in first }
    return ids.compactMapValues { places[$0] }
  }
}
