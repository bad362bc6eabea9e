import Testing
import WhereaboutsGeodesy
import WhereaboutsModel

@testable import WhereaboutsFormats

/// A FIT file in memory, message by message.
struct FITBuilder {
  private var data: [UInt8] = []
  var headerSize: UInt8 = 14

  static func bytes(_ value: Int64, _ count: Int, bigEndian: Bool = false) -> [UInt8] {
    let little = (0..<count).map { UInt8(truncatingIfNeeded: value >> Int64($0 * 8)) }
    return bigEndian ? little.reversed() : little
  }

  /// Appends a definition; fields are number, size and base type.
  mutating func define(
    _ local: UInt8, _ global: Int64, _ fields: [(UInt8, UInt8, UInt8)], bigEndian: Bool = false,
    developer: [(UInt8, UInt8, UInt8)]? = nil
  ) {
    data += [0x40 | local | (developer == nil ? 0 : 0x20), 0, bigEndian ? 1 : 0]
    data += Self.bytes(global, 2, bigEndian: bigEndian) + [UInt8(fields.count)]
    for field in fields { data += [field.0, field.1, field.2] }
    guard let developer else { return }
    data.append(UInt8(developer.count))
    for field in developer { data += [field.0, field.1, field.2] }
  }

  mutating func message(_ header: UInt8, _ bytes: [UInt8]) { data += [header] + bytes }

  /// The whole file.
  func file(checksum: UInt16? = nil, length: Int64? = nil) -> [UInt8] {
    var header: [UInt8] =
      [headerSize, 0x20, 0x08, 0x08] + Self.bytes(length ?? Int64(data.count), 4) + Array(".FIT".utf8)
    if headerSize == 14 { header += [0, 0] }
    var sum = FITChecksum()
    (header + data).withUnsafeBytes { sum.add($0) }
    return header + data + Self.bytes(Int64(checksum ?? sum.value), 2)
  }

  static func semicircles(_ degrees: Double) -> Int64 { Int64((degrees * 2_147_483_648 / 180).rounded()) }
}

@Suite struct FITTests {
  /// 2021-01-01T00:00:00Z in seconds since 1989-12-31.
  private static let newYear: Int64 = 1_609_459_200 - 631_065_600
  private static let fields: [(UInt8, UInt8, UInt8)] = [(253, 4, 0x86), (0, 4, 0x85), (1, 4, 0x85)]

  private static func record(_ time: Int64, _ latitude: Double, _ longitude: Double, bigEndian: Bool = false)
    -> [UInt8]
  {
    FITBuilder.bytes(time, 4, bigEndian: bigEndian)
      + FITBuilder.bytes(FITBuilder.semicircles(latitude), 4, bigEndian: bigEndian)
      + FITBuilder.bytes(FITBuilder.semicircles(longitude), 4, bigEndian: bigEndian)
  }

  private static func simple(_ count: Int = 2) -> FITBuilder {
    var builder = FITBuilder()
    builder.define(0, 20, fields)
    for second in 0..<Int64(count) { builder.message(0, record(newYear + second, 45, -90)) }
    return builder
  }

  private func seconds(_ text: ImportText) -> [Int64] {
    text.fixes.compactMap { $0.time.map { $0.nanosecondsSince1970 / 1_000_000_000 - 1_609_459_200 } }
  }

  @Test(arguments: [false, true]) func recordsOfBothByteOrders(isBigEndian: Bool) throws {
    var builder = FITBuilder()
    builder.define(3, 0, [(4, 4, 0x86), (3, 4, 0x8C)], bigEndian: isBigEndian)
    builder.message(
      3,
      FITBuilder.bytes(Self.newYear, 4, bigEndian: isBigEndian)
        + FITBuilder.bytes(3_912_345_678, 4, bigEndian: isBigEndian))
    builder.define(
      0, 20,
      Self.fields + [(78, 4, 0x86), (2, 2, 0x84), (73, 4, 0x86), (31, 1, 0x02), (32, 2, 0x83), (3, 1, 0x02)],
      bigEndian: isBigEndian)
    func number(_ value: Int64, _ size: Int) -> [UInt8] {
      FITBuilder.bytes(value, size, bigEndian: isBigEndian)
    }
    builder.message(
      0,
      Self.record(Self.newYear, 45, -90, bigEndian: isBigEndian) + number(3002, 4) + number(9999, 2)
        + number(2500, 4)
        + [4] + number(-250, 2) + [150])
    let text = ImportText(builder.file())
    #expect(text.format == .fit)
    #expect(text.devices == ["3912345678"])
    #expect(text.problems == [])
    let fix = try #require(text.fixes.first)
    #expect(fix.coordinate.latitude == 45 && fix.coordinate.longitude == -90)
    #expect(fix.time?.iso8601 == "2021-01-01T00:00:00.000Z")
    // The enhanced altitude counts: v/5 − 500.
    #expect(abs((fix.heightAboveGeoid ?? 0) - 100.4) < 1e-9)
    #expect(fix.speed == 2.5 && fix.horizontalAccuracy == 4 && fix.climb == -0.25)
  }

  @Test func accuracyOfZeroIsUnknown() {
    var builder = FITBuilder()
    builder.define(0, 20, Self.fields + [(31, 1, 0x02)])
    for (second, accuracy) in [0, 1, 255].enumerated() {
      builder.message(0, Self.record(Self.newYear + Int64(second), 45, -90) + [UInt8(accuracy)])
    }
    let text = ImportText(builder.file())
    #expect(text.problems == [])
    #expect(text.fixes.map(\.horizontalAccuracy) == [nil, 1, nil])
  }

  /// A sport, the activity type of a record (255 is invalid), and the activity that the two state.
  @Test(
    arguments: [
      (nil, 255, nil), (1, 255, .running), (2, 255, .cycling), (21, 255, .cycling), (11, 255, .walking),
      (17, 255, .walking), (15, 255, .boating), (23, 255, .boating), (32, 255, .boating), (41, 255, .boating),
      (20, 255, .flying), (22, 255, .driving), (24, 255, .driving), (13, 255, nil), (255, 255, nil),
      (1, 6, .walking), (nil, 1, .running), (nil, 2, .cycling), (nil, 8, .still), (2, 0, .cycling),
      (19, 255, .boating),
    ] as [(UInt8?, UInt8, Fix.StatedActivity?)])
  func sportIsTheActivity(sport: UInt8?, type: UInt8, activity: Fix.StatedActivity?) {
    var builder = FITBuilder()
    if let sport {
      builder.define(1, 12, [(0, 1, 0x00)])
      builder.message(1, [sport])
    }
    builder.define(0, 20, Self.fields + [(42, 1, 0x00)])
    builder.message(0, Self.record(Self.newYear, 45, -90) + [type])
    // The sport of a file does not hold for the next one.
    let text = ImportText(builder.file() + Self.simple(1).file())
    #expect(text.fixes.map(\.activity) == [activity, nil])
    #expect(text.problems == [])
  }

  /// The sports of sessions, whose records are those of the seconds 0 and 1, and 10 and 11.
  @Test(
    arguments: [
      ([], [nil, nil, nil, nil]), ([(0, 20, 2)], [.cycling, .cycling, .cycling, .cycling]),
      ([(0, 5, 1), (10, 20, 2)], [.running, .running, .cycling, .cycling]),
      ([(0, 5, 255), (10, 20, 2)], [nil, nil, .cycling, .cycling]),
    ] as [([(Int64, Int64, UInt8)], [Fix.StatedActivity?])])
  func sportOfASessionIsTheActivity(sessions: [(Int64, Int64, UInt8)], activities: [Fix.StatedActivity?]) {
    var builder = FITBuilder()
    builder.define(0, 20, Self.fields)
    for second in [0, 1, 10, 11] as [Int64] {
      builder.message(0, Self.record(Self.newYear + second, 45, -90))
    }
    builder.define(1, 18, [(253, 4, 0x86), (2, 4, 0x86), (5, 1, 0x00)])
    for session in sessions {
      builder.message(
        1,
        FITBuilder.bytes(Self.newYear + session.1, 4) + FITBuilder.bytes(Self.newYear + session.0, 4)
          + [session.2])
    }
    let text = ImportText(builder.file() + Self.simple(1).file())
    #expect(text.fixes.map(\.activity) == activities + [nil])
    #expect(seconds(text) == [0, 1, 10, 11, 0])
    #expect(text.batch.elements.first?.kind == "track" && text.problems == [])
  }

  @Test func invalidValuesAreAbsent() throws {
    var builder = FITBuilder()
    builder.define(0, 20, Self.fields + [(2, 2, 0x84), (6, 2, 0x84), (31, 1, 0x02)])
    builder.message(0, Self.record(Self.newYear, 1, 2) + [0xFF, 0xFF, 0xFF, 0xFF, 0xFF])
    builder.message(
      0,
      FITBuilder.bytes(Self.newYear, 4) + FITBuilder.bytes(0x7FFF_FFFF, 4) + FITBuilder.bytes(0x7FFF_FFFF, 4)
        + [0xFF, 0xFF, 0xFF, 0xFF, 0xFF])
    let text = ImportText(builder.file())
    let fix = try #require(text.fixes.first)
    #expect(text.fixes.count == 1)
    #expect(fix.heightAboveGeoid == nil && fix.speed == nil && fix.horizontalAccuracy == nil)
    #expect(text.batch.skippedElements.counts.map(\.name) == ["record without a position"])
    #expect(text.problems == [])
  }

  /// The offset counts from the last full time of any message, and rolls over at 32 s.
  @Test(arguments: [(0, [0, 31]), (30, [30, 31]), (31, [31, 62]), (32, [32, 63])] as [(Int64, [Int64])])
  func compressedTimeRollsOver(start: Int64, expected: [Int64]) {
    var builder = FITBuilder()
    // The last five bits of the time are those of `start`.
    let base = Self.newYear - Self.newYear % 32
    builder.define(0, 20, Self.fields)
    builder.define(1, 20, [(0, 4, 0x85), (1, 4, 0x85)])
    builder.message(0, Self.record(base + start, 1, 2))
    let offset = UInt8((base + start + (start == 0 || start == 30 ? expected[1] - start : 31)) & 31)
    builder.message(
      0x80 | 1 << 5 | offset,
      FITBuilder.bytes(FITBuilder.semicircles(1), 4) + FITBuilder.bytes(FITBuilder.semicircles(2), 4))
    let text = ImportText(builder.file())
    let times = seconds(text).map { $0 + 1_609_459_200 - 631_065_600 - base }
    #expect(times == expected)
  }

  @Test func timeSincePowerOnIsAddedToTheTimeOfCreation() {
    var builder = FITBuilder()
    builder.define(0, 0, [(4, 4, 0x86)])
    builder.message(0, FITBuilder.bytes(Self.newYear, 4))
    builder.define(1, 20, Self.fields)
    builder.message(1, Self.record(100, 1, 2))
    #expect(seconds(ImportText(builder.file())) == [100])
    var bare = FITBuilder()
    bare.define(1, 20, Self.fields)
    bare.message(1, Self.record(100, 1, 2))
    let text = ImportText(bare.file())
    #expect(text.fixes.map(\.time) == [nil] && text.batch.problems.counts[.badTime] == 1)
  }

  @Test func developerAndOddFieldsAreSkipped() {
    var builder = FITBuilder()
    // A field whose size is no multiple of its type's, and a developer's field without a description.
    builder.define(0, 20, Self.fields + [(5, 3, 0x86), (200, 7, 0x0D)], developer: [(0, 2, 0)])
    builder.message(0, Self.record(Self.newYear, 1, 2) + Array(repeating: 1, count: 12))
    builder.message(0, Self.record(Self.newYear + 1, 1, 2) + Array(repeating: 1, count: 12))
    let text = ImportText(builder.file())
    #expect(seconds(text) == [0, 1] && text.problems == [])
  }

  @Test func firstOfSeveralFieldsWithOneNumberCounts() {
    var builder = FITBuilder()
    // The first altitude is read; the first speed has a size that does not fit its type.
    builder.define(0, 20, Self.fields + [(2, 2, 0x84), (2, 2, 0x84), (6, 3, 0x84), (6, 2, 0x84)])
    builder.message(
      0,
      Self.record(Self.newYear, 1, 2) + FITBuilder.bytes(2600, 2) + FITBuilder.bytes(3000, 2)
        + FITBuilder.bytes(1000, 3) + FITBuilder.bytes(2000, 2))
    let text = ImportText(builder.file())
    #expect(text.fixes.map(\.heightAboveGeoid) == [20])
    #expect(text.fixes.map(\.speed) == [nil])
  }

  @Test func redefinedTypesAndStoppedTimersAndCameras() {
    var builder = FITBuilder()
    builder.define(0, 20, Self.fields)
    builder.message(0, Self.record(Self.newYear, 1, 2))
    builder.define(1, 21, [(253, 4, 0x86), (0, 1, 0), (1, 1, 0)])
    builder.message(1, FITBuilder.bytes(Self.newYear, 4) + [0, 4])
    builder.message(0, Self.record(Self.newYear + 60, 1, 2))
    // The same local type for a camera's message.
    builder.define(0, 160, [(253, 4, 0x86), (0, 2, 0x84), (1, 4, 0x85), (2, 4, 0x85), (6, 4, 0x86)])
    builder.message(
      0,
      FITBuilder.bytes(50, 4) + FITBuilder.bytes(250, 2) + FITBuilder.bytes(FITBuilder.semicircles(3), 4)
        + FITBuilder.bytes(FITBuilder.semicircles(4), 4) + FITBuilder.bytes(Self.newYear + 90, 4))
    let text = ImportText(builder.file())
    #expect(text.batch.elements.map(\.kind) == ["track", "segment", "fix", "segment", "fix", "fix"])
    #expect(seconds(text) == [0, 60, 90])
  }

  @Test func chainedFilesAndWrongChecksumsAreRead() {
    var twelve = Self.simple()
    twelve.headerSize = 12
    let chained = ImportText(Self.simple().file() + twelve.file())
    #expect(chained.fixes.count == 4 && chained.problems == [])
    let wrong = ImportText(Self.simple().file(checksum: 1) + Self.simple().file())
    #expect(wrong.fixes.count == 4 && wrong.batch.problems.counts == [.wrongChecksum: 1])
    // Definitions end with their file.
    var orphan = FITBuilder()
    orphan.message(0, Self.record(Self.newYear, 1, 2))
    let undefined = ImportText(Self.simple().file() + orphan.file() + Self.simple(1).file())
    #expect(undefined.fixes.count == 3 && undefined.batch.problems.counts == [.malformed: 1])
  }

  @Test(arguments: [1, 2, 3, 10, 14, 20]) func cutFileIsReadAsFarAsItGoes(missing: Int) {
    let text = ImportText(Array(Self.simple(3).file().dropLast(missing)))
    #expect(text.fixes.count == (missing <= 2 ? 3 : missing <= 15 ? 2 : 1))
    #expect(text.batch.problems.counts == [.truncated: 1])
  }

  @Test func fileWithoutALengthIsRead() {
    let text = ImportText(Self.simple(3).file(length: 0))
    #expect(text.fixes.count == 3)
  }

  @Test(arguments: 1...8 as ClosedRange<UInt64>) func damagedFilesAreSoundForAnyChunks(seed: UInt64) {
    expectSoundWhenDamaged(Self.simple(20).file() + Self.simple(3).file(), seed: seed) { FITDecoder() }
  }
}
