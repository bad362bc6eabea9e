import Foundation
import Whereabouts
import WhereaboutsModel
import WhereaboutsGeodesy
import WhereaboutsTesting

@testable import WhereaboutsStore

/// A temporary folder, removed with its owner.
final class TemporaryFolder: Sendable {
  let path: String

  init() throws {
    path = NSTemporaryDirectory() + "whereabouts-store-" + UUID().uuidString
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  var file: String { path + "/whereabouts.sqlite" }
}

func t(_ seconds: Int64) -> UTCTime {
  UTCTime(nanosecondsSince1970: (1_700_000_000 + seconds) * 1_000_000_000)
}

func place(_ latitude: Double = 48, _ longitude: Double = 11) throws -> Coordinate {
  guard let place = Coordinate(latitude: latitude, longitude: longitude) else { throw InvalidPlaceError() }
  return place
}

struct InvalidPlaceError: Error {}

func fix(_ seconds: Int64, _ latitude: Double = 48, _ longitude: Double = 11) throws -> Fix {
  var fix = Fix(coordinate: try place(latitude, longitude), time: t(seconds), source: .nmea)
  fix.horizontalAccuracy = 5
  return fix
}

func commit(
  _ fixes: [LoggedFix], device: DeviceID = .this, durability: StoreCommit.Durability = .process
) -> StoreCommit {
  var commit = StoreCommit(device: device)
  commit.fixes = fixes
  commit.durability = durability
  return commit
}

func event(_ number: UInt64, at seconds: Int64) throws -> FenceEvent {
  FenceEvent(
    id: FenceEvent.ID(number), fence: "home", kind: .enter, manner: .crossed, time: t(seconds),
    timeUncertainty: 0.5, lastBefore: t(seconds - 1), firstAfter: t(seconds + 1), place: try place(),
    confidence: 0.99, decidedBy: try fix(seconds + 1), decided: t(seconds + 1), pending: .seconds(2))
}

/// Draws random fixes, with frequent values that are difficult for columns.
struct RandomFixes {
  var random: SeededGenerator

  mutating func number() -> Double? {
    switch random.next() % 8 {
    case 0: nil
    case 1: -0.0
    case 2: .nan
    case 3: .infinity
    case 4: Double(Int64(truncatingIfNeeded: random.next()))
    case 5: Double(random.next() % 100)
    default: Double.random(in: -1e6...1e6, using: &random)
    }
  }

  mutating func fix() throws -> LoggedFix {
    var fix = Fix(
      coordinate: try place(
        Bool.random(using: &random) ? -0.0 : Double.random(in: -90...90, using: &random),
        Bool.random(using: &random) ? -0.0 : Double.random(in: -180...180, using: &random)),
      time: random.next() % 5 == 0 ? nil : UTCTime(nanosecondsSince1970: Int64(random.next() >> 1)),
      source: Fix.SourceKind.allCases.randomElement(using: &random) ?? .nmea,
      isSimulated: Bool.random(using: &random))
    fix.horizontalAccuracy = number()
    fix.verticalAccuracy = number()
    fix.isAccuracyEstimated = Bool.random(using: &random)
    fix.heightAboveGeoid = number()
    fix.heightAboveEllipsoid = number()
    fix.speed = number()
    fix.speedAccuracy = number()
    fix.course = number()
    fix.courseAccuracy = number()
    fix.climb = number()
    fix.mode = [nil, .twoD, .threeD].randomElement(using: &random) ?? nil
    fix.solution = Fix.SolutionKind.allCases.randomElement(using: &random)
    fix.satellitesUsed = UInt8(truncatingIfNeeded: random.next())
    fix.satellitesInView = Bool.random(using: &random) ? nil : 12
    fix.horizontalDilution = number().map { Float($0) }
    fix.verticalDilution = number().map { Float($0) }
    fix.positionDilution = number().map { Float($0) }
    fix.floor = fix.satellitesUsed.map { Int16(truncatingIfNeeded: Int($0) << 8) }
    let activities = Fix.StatedActivity.allCases, used = Int(fix.satellitesUsed ?? 0)
    fix.activity = fix.satellitesInView == nil ? nil : activities[used % activities.count]
    let use = LoggedFix.Use.allCases.randomElement(using: &random) ?? .used
    let seen = random.next() % 3 == 0 ? nil : UTCTime(nanosecondsSince1970: Int64(random.next() >> 1))
    return LoggedFix(fix, use: use, seen: seen)
  }
}

extension LoggedFix {
  /// Whether two fixes are equal, with -0 different from 0 and NaN equal to itself.
  func isBitwiseEqual(to other: LoggedFix) -> Bool {
    func bits(_ seen: LoggedFix) -> [UInt64?] {
      let fix = seen.fix
      let numbers = [
        fix.coordinate.latitude, fix.coordinate.longitude, fix.horizontalAccuracy, fix.verticalAccuracy,
        fix.heightAboveGeoid, fix.heightAboveEllipsoid, fix.speed, fix.speedAccuracy, fix.course,
        fix.courseAccuracy, fix.climb,
      ]
      let dilutions = [fix.horizontalDilution, fix.verticalDilution, fix.positionDilution]
      return numbers.map { $0?.bitPattern } + dilutions.map { $0.map { UInt64($0.bitPattern) } }
    }
    return bits(self) == bits(other) && use == other.use && seen == other.seen && fix.time == other.fix.time
      && fix.isAccuracyEstimated == other.fix.isAccuracyEstimated && fix.mode == other.fix.mode
      && fix.solution == other.fix.solution && fix.satellitesUsed == other.fix.satellitesUsed
      && fix.satellitesInView == other.fix.satellitesInView && fix.floor == other.fix.floor
      && fix.activity == other.fix.activity && fix.source == other.fix.source
      && fix.isSimulated == other.fix.isSimulated
  }
}
