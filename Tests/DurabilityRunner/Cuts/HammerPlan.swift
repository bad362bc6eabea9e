import WhereaboutsEngine
import Whereabouts
import WhereaboutsTesting

/// The commits of one device, the same for the same seed. Each commit must be stored as a whole or not at all.
struct HammerPlan {
  /// The device of the commits.
  let device: DeviceID
  /// The origin of the commits' times.
  static let start = UTCTime(nanosecondsSince1970: 1_717_243_200_000_000_000)
  /// The number of the last commit, from 1.
  private(set) var number: UInt64 = 0

  private var random: SeededGenerator
  private var fixes: UInt64 = 0
  private var recordCount: UInt64 = 0

  init(device: UInt64, seed: UInt64) {
    self.device = Self.name(device)
    random = SeededGenerator(seed: seed &* 1000 &+ device)
  }

  static func name(_ device: UInt64) -> DeviceID { DeviceID(rawValue: "device \(device)") }

  mutating func next() -> StoreCommit {
    number += 1
    var commit = StoreCommit(device: device)
    for _ in 0..<UInt64.random(in: 1...4, using: &random) {
      fixes += 1
      commit.fixes.append(LoggedFix(Self.fix(Double(fixes)), seen: Self.time(Double(fixes))))
    }
    // Every commit stores its number, to be read back.
    commit.processedUntil = Self.time(Double(number))
    if UInt64.random(in: 0..<6, using: &random) == 0 {
      recordCount += 1
      commit.fenceRecords = [
        NumberedFenceRecord(number: recordCount, record: .removed(FenceID("\(number)"), because: .once))
      ]
      commit.durability = .power
    }
    if UInt64.random(in: 0..<25, using: &random) == 0 {
      commit.snapshot = EngineSnapshot()
      if let circle = try? Area.Circle(center: Self.fix(1).coordinate, radius: 50) {
        let fence = Fence(id: FenceID("\(number % 5)"), area: .circle(circle), name: "\(number)")
        commit.fences.set = [StoreCommit.FenceChange.Entry(fence, serial: number)]
      }
      commit.fences.lastSerial = number
    }
    return commit
  }

  private static func fix(_ second: Double) -> Fix {
    Fix.test(latitude: 10 + second / 1e4, longitude: 20, accuracy: 5, time: time(second), speed: 1)
  }

  private static func time(_ second: Double) -> UTCTime {
    start.advanced(by: .seconds(second))
  }
}

/// A mark in the write log: a commit was acknowledged.
struct HammerMark: Hashable {
  var device: UInt64
  var commit: UInt64
  /// Whether the commit was acknowledged as power-safe.
  var isSure: Bool

  init(device: UInt64, commit: UInt64, isSure: Bool) {
    self.device = device
    self.commit = commit
    self.isSure = isSure
  }

  init(packed: UInt64) {
    self.init(device: packed >> 40, commit: (packed & 0xff_ffff_ffff) >> 1, isSure: packed & 1 == 1)
  }

  var packed: UInt64 { device << 40 | commit << 1 | (isSure ? 1 : 0) }
}
