import Testing
import Whereabouts
import WhereaboutsEngine
import WhereaboutsModel
import WhereaboutsTesting

@testable import WhereaboutsStore

@Suite struct PastFollowerTests {
  /// Three days of a device with a fix a minute.
  private static let fixes = SimulatedPhone.minute.fixes(of: DailyLife(days: 3, seed: 5), seed: 5)

  private static func truth(_ store: SQLiteStore) throws -> [Segment] {
    var fixes: [Fix] = []
    try store.history(of: .this, uses: [.used, .late]) { fixes.append($0.fix.fix) }
    return Segmenter.segments(of: fixes)
  }

  /// Applies changes to the segments of a client.
  private func apply(_ changes: [SegmentChange], to known: inout [SegmentID: Segment]) {
    for change in changes { known[change.id] = change.segment }
  }

  private func read(_ follower: inout PastFollower, _ known: inout [SegmentID: Segment]) throws {
    try follower.read()
    apply(try follower.changes(), to: &known)
  }

  private func inOrder(_ known: [SegmentID: Segment]) -> [Segment] {
    known.values.sorted { ($0.start, $0.id) < ($1.start, $1.id) }
  }

  @Test func storedFixesAreFollowedInAnyOrder() throws {
    let folder = try TemporaryFolder()
    let store = try SQLiteStore.open(at: folder.file)
    var follower = try PastFollower(of: .this, in: store)
    var known: [SegmentID: Segment] = [:]
    #expect(try follower.begin().isEmpty)
    try read(&follower, &known)
    #expect(known.isEmpty)
    // Every 40th fix arrives 500 fixes late.
    var late: [Fix] = []
    for start in stride(from: 0, to: Self.fixes.count, by: 500) {
      let chunk = Self.fixes[start..<min(start + 500, Self.fixes.count)]
      let (held, sent) = (
        chunk.enumerated().filter { $0.offset % 40 == 7 }.map(\.element),
        chunk.enumerated().filter { $0.offset % 40 != 7 }.map(\.element)
      )
      _ = try store.addPast(sent, to: .this)
      if !late.isEmpty { _ = try store.addPast(late, to: .this) }
      late = held
      try read(&follower, &known)
      #expect(inOrder(known) == (try Self.truth(store)))
    }
    _ = try store.addPast(late, to: .this)
    try read(&follower, &known)
    #expect(inOrder(known) == (try Self.truth(store)))
    #expect(inOrder(known) == Segmenter.segments(of: Self.fixes))
    try follower.read()
    #expect(try follower.changes().isEmpty)
    // The segments are the same after a kill.
    var again = try PastFollower(of: .this, in: store)
    let begun = try again.begin().compactMap(\.segment)
    #expect(begun == Array(inOrder(known).suffix(begun.count)) && !begun.isEmpty)
  }

  /// As from a receiver with a week rollover. Otherwise every fix would be too old until that date.
  @Test(arguments: [0, 2000]) func fixWithAWrongDateEndsNoFollowing(place: Int) throws {
    let folder = try TemporaryFolder()
    let now = try #require(Self.fixes.last?.time)
    let store = try SQLiteStore.open(at: folder.file, wall: { now }, hook: nil)
    var ahead = Self.fixes[place]
    ahead.time = ahead.time?.advanced(by: .seconds(619_315_200))
    var known: [SegmentID: Segment] = [:]
    _ = try store.addPast(Array(Self.fixes[..<place]), to: .this)
    if place == 0 { _ = try store.addPast([ahead], to: .this) }
    var follower = try PastFollower(of: .this, in: store)
    apply(try follower.begin(), to: &known)
    if place > 0 {
      // The past day only is known.
      known = Dictionary(uniqueKeysWithValues: try Self.truth(store).map { ($0.id, $0) })
      _ = try store.addPast([ahead], to: .this)
    }
    for start in stride(from: place, to: Self.fixes.count, by: 500) {
      _ = try store.addPast(Array(Self.fixes[start..<min(start + 500, Self.fixes.count)]), to: .this)
      try read(&follower, &known)
    }
    #expect(inOrder(known) == Segmenter.segments(of: Self.fixes))
    #expect(follower.newestTime == now)
  }

  /// Changes and erasures of stored fixes change the segments, and an undo restores them.
  @Test func repairsAndErasuresAreFollowed() throws {
    let folder = try TemporaryFolder()
    let store = try SQLiteStore.open(at: folder.file)
    _ = try store.addPast(Self.fixes, to: .this)
    var follower = try PastFollower(of: .this, in: store)
    var known = Dictionary(uniqueKeysWithValues: try Self.truth(store).map { ($0.id, $0) })
    _ = try follower.begin()
    let before = known

    var keys: [(time: Int64, seq: Int64)] = []
    try store.importedFixes(of: .this) { keys.append(($0.time, $0.seq)) }
    let repair = try #require(
      try store.repair(
        .this, kind: "teleports", choice: "leave-out", fixes: Array(keys[1000..<1600]), change: .leaveOut,
        at: t(0)))
    try read(&follower, &known)
    #expect(inOrder(known) == (try Self.truth(store)) && known != before)
    #expect(try store.undoRepair(repair.number, of: .this) == .success(600))
    try read(&follower, &known)
    #expect(known == before)

    let start = try #require(Self.fixes[1000].time), end = try #require(Self.fixes[1600].time)
    try store.forget(.span(start..<end, of: .this))
    try read(&follower, &known)
    #expect(inOrder(known) == (try Self.truth(store)) && known != before)
    try store.forget(.device(.this))
    try read(&follower, &known)
    #expect(known.isEmpty)
    _ = try store.addPast(Self.fixes, to: .this)
    try read(&follower, &known)
    #expect(known == before)
  }

  /// A past that is read again starts at its beginning: old reported segments are not withdrawn.
  @Test func longFollowedPastIsReadAgainFromItsBeginning() throws {
    let folder = try TemporaryFolder()
    let store = try SQLiteStore.open(at: folder.file)
    let fixes = SimulatedPhone.sleeper.fixes(of: DailyLife(days: 22, seed: 3), seed: 3)
    let cut = fixes.count * 2 / 3
    _ = try store.addPast(Array(fixes[..<cut]), to: .this)
    var follower = try PastFollower(of: .this, in: store)
    _ = try follower.begin()
    for start in stride(from: cut, to: fixes.count, by: 400) {
      _ = try store.addPast(Array(fixes[start..<min(start + 400, fixes.count)]), to: .this)
      try follower.read()
      _ = try follower.changes()
    }
    var last: (time: Int64, seq: Int64)?
    try store.importedFixes(of: .this) { last = ($0.time, $0.seq) }
    let repair = try store.repair(
      .this, kind: "teleports", choice: "leave-out", fixes: [try #require(last)], change: .leaveOut, at: t(0))
    #expect(repair?.count == 1)
    try follower.read()
    let newest = try #require(follower.newestTime)
    for change in try follower.changes() {
      let end = try #require(change.segment?.end, "\(change.id) is withdrawn")
      #expect(newest.seconds(since: end) < 86_400, "\(change.kind) \(change.id)")
    }
  }

  /// A stream may be open for months. No late fix changes what is older than 30 days.
  @Test func pastOfMonthsIsReadAgainFromTheSegmentsThatAreKept() throws {
    let folder = try TemporaryFolder()
    let store = try SQLiteStore.open(at: folder.file)
    // Half a day at each of two places in turn.
    let fixes = try (0..<1_926).map { try fix(Int64($0) * 3_600, $0 / 12 % 2 == 0 ? 47.1 : 47) }
    var follower = try PastFollower(of: .this, in: store)
    for start in stride(from: 0, to: fixes.count, by: 120) {
      _ = try store.addPast(Array(fixes[start..<min(start + 120, fixes.count)]), to: .this)
      try follower.read()
      _ = try follower.changes()
    }
    var last: (time: Int64, seq: Int64)?
    try store.importedFixes(of: .this) { last = ($0.time, $0.seq) }
    let repair = try store.repair(
      .this, kind: "teleports", choice: "leave-out", fixes: [try #require(last)], change: .leaveOut, at: t(0))
    #expect(repair?.count == 1)
    try follower.read()
    let newest = try #require(follower.newestTime), begin = try #require(follower.start)
    #expect(newest.seconds(since: begin) < 46 * 86_400)
    #expect(try follower.changes().allSatisfy { $0.kind != .withdrawn })
  }

  /// Fixes at some hours: at one place for half a day, and then at another.
  private func hourly(_ hours: some Sequence<Int>) throws -> [Fix] {
    try hours.map { try fix(Int64($0) * 3_600, $0 < 12 ? 47.1 : 47) }
  }

  @Test func visitOfMonthsHasItsArrival() throws {
    let folder = try TemporaryFolder()
    let store = try SQLiteStore.open(at: folder.file)
    _ = try store.addPast(try hourly(0..<2_400), to: .this)
    var follower = try PastFollower(of: .this, in: store)
    let visit = try #require(try Self.truth(store).last)
    let begun = try follower.begin().compactMap(\.segment)
    #expect(begun == [visit])
    // 14 days are read in any case, and no more where the arrival is too many fixes away.
    var limited = try PastFollower(of: .this, in: store, leadLimit: 1_000)
    let first = try limited.begin().first
    let cut = try #require(first?.segment)
    #expect(cut.start > visit.start && cut.end == visit.end)
    // Of the 14 days, four times as many are read at most.
    limited = try PastFollower(of: .this, in: store, leadLimit: 50)
    let newest = try #require(try limited.begin().first?.segment)
    #expect(visit.end.seconds(since: newest.start) <= 200 * 3_600 && newest.end == visit.end)
  }

  /// Each late fix would otherwise cost a read of all rows of a visit of months.
  @Test func fewLateFixesAreReadOnlyWhereTheyChangeSegments() throws {
    let folder = try TemporaryFolder()
    let store = try SQLiteStore.open(at: folder.file)
    _ = try store.addPast(try hourly(0..<2_400), to: .this)
    let mark = try #require(try store.historyMark(of: .this))
    _ = try store.addPast([try fix(360_060, 47), try fix(7_200_060, 47)], to: .this)
    func times(limit: Int) throws -> [UTCTime]? {
      let additions = try store.additions(
        to: .this, since: mark, from: t(0), settled: t(3_600_000), limit: limit)
      guard case .fixes(let fixes, _) = additions else { return nil }
      return fixes.map(\.rowTime)
    }
    #expect(try times(limit: 2) == [t(7_200_060)])
    // Many are read anew, also where each alone would be left out.
    #expect(try times(limit: 1) == nil)
  }

  @Test func lateFixIsLeftOutUpToTheSettledTime() throws {
    var segmenter = Segmenter()
    for fix in try hourly(0..<13_000) { _ = segmenter.handle(fix) }
    let settled = try #require(segmenter.settledTime)
    let before = segmenter.openSegments
    for (seconds, isLeftOut) in [(0, true), (60, false)] {
      var late = try fix(0, 47)
      late.time = settled.advanced(by: .seconds(seconds))
      _ = segmenter.handle(late)
      // The fix counts in the visit.
      #expect((segmenter.openSegments == before) == isLeftOut, "\(seconds)")
    }
  }

  /// The fix after the silence is the only one of two weeks. The gap needs no more than the last fix before it.
  @Test(arguments: [.max, 500_000, 10, 0]) func silenceOfMonthsIsAGap(leadLimit: Int) throws {
    let folder = try TemporaryFolder()
    let store = try SQLiteStore.open(at: folder.file)
    _ = try store.addPast(try hourly(Array(0..<48) + [2_400]), to: .this)
    var follower = try PastFollower(of: .this, in: store, leadLimit: leadLimit)
    let gap = try #require(try Self.truth(store).last)
    #expect(gap.id.kind == .gap)
    let begun = try follower.begin().compactMap(\.segment)
    #expect(begun.map(\.id) == [gap.id] && begun.map(\.end) == [gap.end])
  }
}
