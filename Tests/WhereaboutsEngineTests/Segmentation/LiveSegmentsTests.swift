import Testing
import WhereaboutsGeodesy
import WhereaboutsTesting

@testable import WhereaboutsEngine
@testable import WhereaboutsModel

@Suite struct LiveSegmentsTests {
  /// Returns the segments of a client that applies changes only.
  private struct Client {
    var segments: [SegmentID: Segment] = [:]

    mutating func apply(_ changes: [SegmentChange], _ comment: Comment) {
      for change in changes {
        let before = segments[change.id], now = change.segment
        switch change.kind {
        case .current: #expect(before == nil && now != nil, comment)
        case .opened: #expect(before == nil && now?.isOpen == true, comment)
        case .grown: #expect(before?.isOpen == true && now?.isOpen == true, comment)
        case .closed: #expect(before?.isOpen != false && now?.isOpen == false, comment)
        case .revised: #expect(before?.isOpen == false && now != nil, comment)
        case .withdrawn: #expect(before != nil && now == nil, comment)
        }
        #expect(now == nil || now?.id == change.id, comment)
        if case .visit = now { #expect(change.place != nil, comment) }
        segments[change.id] = now
      }
    }

    var inOrder: [Segment] { segments.values.sorted { ($0.start, $0.id) < ($1.start, $1.id) } }
  }

  private static func fixes(_ seed: UInt64, days: Int) -> [Fix] {
    let phones: [SimulatedPhone] = [.minute, .poor, .sleeper, .sparse]
    return phones[Int(seed % 4)].fixes(of: DailyLife(days: days, seed: seed), seed: seed)
  }

  /// Some fixes arrive minutes to hours late; changes are read at random times.
  @Test(arguments: PropertyCases.seeds(2, of: 1...200 as ClosedRange<UInt64>))
  func clientThatAppliesChangesKnowsTheSegmentsOfAllFixes(seed: UInt64) {
    let fixes = Self.fixes(seed, days: 4), comment: Comment = "seed \(seed)"
    var random = SeededGenerator(seed: seed &* 97)
    var live = LiveSegments(), client = Client()
    var waiting: [(fix: Fix, due: Int)] = []
    client.apply(live.begin(places: []), comment)
    for (index, fix) in fixes.enumerated() {
      if Double.random(in: 0..<1, using: &random) < 0.03 {
        waiting.append((fix, index + Int.random(in: 1...200, using: &random)))
      } else {
        live.add(fix)
      }
      for late in waiting where late.due <= index { live.add(late.fix) }
      waiting.removeAll { $0.due <= index }
      if Int.random(in: 0..<20, using: &random) == 0 { client.apply(live.changes(places: []), comment) }
    }
    for late in waiting { live.add(late.fix) }
    client.apply(live.changes(places: []), comment)
    #expect(live.changes(places: []).isEmpty, comment)
    let truth = Segmenter.segments(of: fixes)
    #expect(client.inOrder == truth, comment)
    #expect(live.segments == truth, comment)
  }

  /// A restart, as after a kill, continues with the same identifiers.
  @Test(arguments: PropertyCases.seeds(2, of: 1...100 as ClosedRange<UInt64>))
  func followingResumesFromTheFixesAlone(seed: UInt64) {
    let fixes = Self.fixes(seed, days: 3), comment: Comment = "seed \(seed)"
    let cut = fixes.count * 2 / 3
    var live = LiveSegments()
    for fix in fixes.prefix(cut) { live.add(fix) }
    var again = LiveSegments()
    for fix in fixes.prefix(cut) { again.add(fix) }
    let begun = again.begin(places: [])
    #expect(begun.allSatisfy { $0.kind == .current } && !begun.isEmpty, comment)
    #expect(begun.compactMap(\.segment) == Array(live.segments.suffix(begun.count)), comment)
    _ = live.begin(places: [])
    for fix in fixes.dropFirst(cut) {
      live.add(fix)
      again.add(fix)
      #expect(live.changes(places: []) == again.changes(places: []), comment)
    }
  }

  private static let noon = UTCTime(nanosecondsSince1970: 1_700_000_000_000_000_000)

  private static func fix(minute: Double, north: Double) throws -> Fix {
    var fix = Fix(
      coordinate: try #require(Coordinate(latitude: 52 + north / 111_300, longitude: 13)),
      time: noon.advanced(by: .seconds(minute * 60)), source: .nmea)
    fix.horizontalAccuracy = 8
    return fix
  }

  @Test func visitIsReportedAtOnceGrowsAndEndsUnderOneIdentifier() throws {
    var live = LiveSegments()
    let home = Place(
      id: "p1", name: "Home", coordinate: try #require(Coordinate(latitude: 52, longitude: 13)))
    _ = live.begin(places: [home])
    var kinds: [SegmentID: [SegmentChange.Kind]] = [:]
    func report() -> [SegmentChange] {
      let changes = live.changes(places: [home])
      for change in changes { kinds[change.id, default: []].append(change.kind) }
      return changes
    }
    for minute in 0...5 {
      live.add(try Self.fix(minute: Double(minute), north: Double(minute % 2) * 3))
    }
    let first = try #require(report().last)
    guard case .visit(let visit) = first.segment else {
      Issue.record("no visit: \(first)")
      return
    }
    #expect(first.kind == .opened && first.place?.name == "Home")
    #expect(visit.departure == nil && visit.duration == 300)
    for minute in [6, 7, 8, 18, 19, 20, 21, 22, 23, 24] {
      live.add(try Self.fix(minute: Double(minute), north: Double(minute % 2) * 3))
      #expect(report().map(\.id) == [first.id])
    }
    for minute in 25...44 {
      live.add(try Self.fix(minute: Double(minute), north: Double(minute - 24) * 90))
      _ = report()
    }
    let history = try #require(kinds[first.id])
    #expect(history.first == .opened && history.contains(.closed) && !history.contains(.withdrawn))
    #expect(history[1...10].allSatisfy { $0 == .grown })
    // Late fixes show that the device was elsewhere in between.
    for minute in 9...17 { live.add(try Self.fix(minute: Double(minute), north: 2_000)) }
    let late = report()
    #expect(late.first { $0.id == first.id }?.kind == .revised, "\(late.map(\.kind))")
    #expect(late.contains { $0.kind == .closed && $0.id.kind == .visit })
  }

  @Test func nothingIsReportedWithoutAFix() {
    var live = LiveSegments()
    #expect(live.begin(places: []).isEmpty && live.changes(places: []).isEmpty)
  }
}
