import Testing
import WhereaboutsGeodesy
import WhereaboutsTesting

@testable import WhereaboutsEngine
@testable import WhereaboutsModel

@Suite struct SegmenterPropertyTests {
  static let phones: [SimulatedPhone] = [.minute, .poor, .sleeper, .sparse]

  private static func fixes(_ seed: UInt64, days: Int) -> [Fix] {
    let life = DailyLife(days: days, seed: seed)
    return phones[Int(seed % UInt64(phones.count))].fixes(of: life, seed: seed)
  }

  @Test(arguments: PropertyCases.seeds(8, of: 1...200 as ClosedRange<UInt64>))
  func segmentsAreOrderedAndDoNotOverlap(seed: UInt64) {
    let segments = Segmenter.segments(of: Self.fixes(seed, days: 8))
    #expect(!segments.isEmpty, "seed \(seed)")
    for segment in segments { #expect(segment.start <= segment.end, "seed \(seed): \(segment.id)") }
    for (before, after) in zip(segments, segments.dropFirst()) {
      #expect(before.end <= after.start, "seed \(seed): \(before.id), \(after.id)")
      #expect(!(before.id.kind == .visit && after.id.kind == .visit) || before.end <= after.start)
    }
    #expect(Set(segments.map(\.id)).count == segments.count, "seed \(seed)")
    for case .visit(let visit) in segments {
      #expect(visit.departure == nil || visit.duration >= 300, "seed \(seed): \(visit.id)")
      #expect(SegmentID(visit.id.description) == visit.id)
    }
    for case .journey(let journey) in segments {
      #expect(journey.distance >= 0 && journey.uncertainty >= 0 && !journey.legs.isEmpty, "seed \(seed)")
      #expect(journey.legs.first?.start == journey.start.time && journey.legs.last?.end == journey.end.time)
    }
  }

  /// Some fixes arrive minutes to hours late.
  @Test(arguments: PropertyCases.seeds(6, of: 1...100 as ClosedRange<UInt64>))
  func lateFixesGiveTheSegmentsOfAllFixesInOrder(seed: UInt64) {
    let fixes = Self.fixes(seed, days: 4)
    var random = SeededGenerator(seed: seed &* 31)
    var segmenter = Segmenter()
    var settled: [SegmentID: Segment] = [:]
    var waiting: [(fix: Fix, due: Int)] = []
    func handle(_ fix: Fix) {
      for change in segmenter.handle(fix) {
        switch change {
        case .set(let segment): settled[segment.id] = segment
        case .removed(let id): settled[id] = nil
        }
      }
    }
    for (index, fix) in fixes.enumerated() {
      if Double.random(in: 0..<1, using: &random) < 0.03 {
        waiting.append((fix, index + Int.random(in: 1...200, using: &random)))
      } else {
        handle(fix)
      }
      for late in waiting where late.due <= index { handle(late.fix) }
      waiting.removeAll { $0.due <= index }
    }
    for late in waiting { handle(late.fix) }
    let revised = settled.values.sorted { $0.start < $1.start } + segmenter.openSegments
    #expect(revised == Segmenter.segments(of: fixes), "seed \(seed)")
  }

  @Test(arguments: PropertyCases.seeds(4, of: 1...50 as ClosedRange<UInt64>))
  func settledSegmentsDoNotChange(seed: UInt64) {
    var segmenter = Segmenter(revises: false)
    var known: [Segment] = []
    for fix in Self.fixes(seed, days: 3) {
      for case .set(let segment) in segmenter.handle(fix) {
        #expect(known.last.map { $0.end <= segment.start } ?? true, "seed \(seed)")
        known.append(segment)
      }
    }
    #expect(Set(known.map(\.id)).count == known.count, "seed \(seed)")
  }

  @Test(arguments: PropertyCases.seeds(100, of: 1...5_000 as ClosedRange<UInt64>))
  func identifierIsTheRoundestInstantOfItsWindow(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let first = Int64.random(in: -4_000_000_000...4_000_000_000, using: &random)
    let last = first + Int64.random(in: 0...400, using: &random)
    let id = SegmentID.roundest(from: first, through: last)
    let zeros = (first...last).map(\.trailingZeroBitCount).max() ?? 0
    #expect((first...last).contains(id) && id.trailingZeroBitCount == zeros, "seed \(seed)")
  }
}
