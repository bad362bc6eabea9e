import Foundation
import Whereabouts
import WhereaboutsModel
import WhereaboutsGeodesy
import WhereaboutsStore

/// The written rows: a fix a second on a long way, and a crossing with each where asked for.
enum Scene {
  static func time(_ number: Int64) -> Int64 { (1_600_000_000 + number) * 1_000_000_000 }
  static func latitude(_ number: Int64) -> Double { 48 + Double(number % 100_000) * 1e-5 + 1.1e-7 }
  static func longitude(_ number: Int64) -> Double { 11 + Double(number % 70_000) * 1.3e-5 + 2.3e-7 }

  static func fix(_ number: Int64) -> Fix {
    guard let place = Coordinate(latitude: latitude(number), longitude: longitude(number)) else {
      fatalError("no place")
    }
    var fix = Fix(
      coordinate: place, time: UTCTime(nanosecondsSince1970: time(number)), source: .nmea)
    fix.horizontalAccuracy = 4.5
    fix.verticalAccuracy = 7.25
    fix.heightAboveGeoid = 520.3
    fix.speed = 13.9
    fix.course = 271.5
    fix.mode = .threeD
    fix.satellitesUsed = 11
    fix.horizontalDilution = 0.75
    return fix
  }

  static func commit(_ number: Int64, device: DeviceID = .this) -> StoreCommit {
    let fix = fix(number), at = UTCTime(nanosecondsSince1970: time(number))
    var commit = StoreCommit(device: device)
    commit.fixes = [LoggedFix(fix, seen: at)]
    commit.durability = .power
    let event = FenceEvent(
      id: FenceEvent.ID(UInt64(number)), fence: "home", kind: .enter, manner: .crossed,
      time: at.advanced(by: .milliseconds(-500)), timeUncertainty: 0.5,
      lastBefore: at.advanced(by: .seconds(-1)),
      firstAfter: at, place: fix.coordinate, confidence: 0.995, decidedBy: fix, decided: at,
      pending: .seconds(1))
    commit.fenceRecords = [NumberedFenceRecord(number: UInt64(number), record: .event(event))]
    return commit
  }
}

/// A folder of its own, which is gone at the end.
final class Folder {
  let path = NSTemporaryDirectory() + "store-bench-" + UUID().uuidString
  init() throws { try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true) }
  deinit { try? FileManager.default.removeItem(atPath: path) }
}
