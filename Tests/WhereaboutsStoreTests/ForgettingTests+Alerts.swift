import Foundation
import Testing
import Whereabouts
import WhereaboutsEngine
import WhereaboutsModel

@testable import WhereaboutsStore

/// The erasure of data of one device, and the alerts that count several devices as one.
extension ForgettingTests {
  /// Three arrivals of any devices.
  private static let sequence: Alert = {
    let step = Alert.Step(places: [Alert.Place("home")], kinds: [.enter])
    var alert = Alert(name: "way", steps: [step, step, step])
    alert.combinesDevices = true
    return alert
  }()

  private static func crossing(
    _ number: UInt64, of device: DeviceID, at second: Int64
  ) throws -> AlertCrossing {
    AlertCrossing(try event(number, at: second), of: device, number: number)
  }

  private static func progress(after crossings: [AlertCrossing]) -> AlertProgress {
    crossings.reduce(AlertProgress(of: sequence)) { progress, crossing in
      let now = crossing.event.time
      return sequence.evaluate(crossing, presence: AlertPresence(), progress: progress, now: now).progress
    }
  }

  private static func notification(
    _ number: UInt64, of device: DeviceID, after steps: [AlertCrossing]
  ) throws -> StoredNotification {
    StoredNotification(
      key: "key \(number) of \(device)", alert: "way", channel: "c", device: device, number: number,
      event: FenceEvent.ID(number), kind: .crossing, time: t(2_200),
      steps: String(decoding: try JSONEncoder().encode(steps.map(\.reference)), as: UTF8.self), isJoint: true,
      created: t(3_000), notBefore: t(3_000))
  }

  /// A store with crossings of three devices, and with the progress and notifications of the sequence.
  private func storeWithJointAlerts(
    _ folder: TemporaryFolder, _ progress: AlertProgress
  ) async throws -> SQLiteStore {
    let store = try await filledStore(folder)
    for device: DeviceID in ["other", "third"] {
      var with = commit([LoggedFix(try fix(2_200))], device: device)
      with.fenceRecords = [NumberedFenceRecord(number: 1, record: .event(try event(1, at: 2_200)))]
      try await store.commit(with)
    }
    let records = try store.fenceRecords(afterPosition: 0, of: nil, limit: 100)
    let text = String(decoding: try JSONEncoder().encode(progress), as: UTF8.self)
    let isStored = try store.commitAlerts(
      through: try #require(records.last).position, of: records, by: [],
      progress: [StoredAlertProgress(alert: "way", device: nil, progress: text)],
      notifications: [
        try Self.notification(1, of: "other", after: []),
        try Self.notification(2, of: "other", after: [Self.crossing(5, of: .this, at: 2_000)]),
        try Self.notification(3, of: "other", after: [Self.crossing(8, of: .this, at: 3_500)]),
        try Self.notification(4, of: "other", after: [Self.crossing(1, of: "other", at: 2_200)]),
        try Self.notification(5, of: .this, after: []),
      ], revoked: [], at: t(4_000))
    #expect(isStored)
    return store
  }

  private func storedProgress(_ store: SQLiteStore) throws -> AlertProgress? {
    let rows = try store.alertProgress(of: [])
    return try rows.first?.progress.map { try JSONDecoder().decode(AlertProgress.self, from: Data($0.utf8)) }
  }

  /// Scopes with the numbers of the notifications that stay.
  static let jointAlertScopes: [(ErasureScope, Set<UInt64>)] = [
    (.span(t(2_000)..<t(2_500), of: .this), [1, 3, 4]),
    (.span(t(3_500)..<t(3_600), of: .this), [1, 2, 4, 5]),
    (.crossings(of: .this), [1, 4]), (.device(.this), [1, 4]), (.everything, []),
    (.span(t(0)..<t(6_000), of: "third"), [1, 2, 3, 4, 5]), (.device("third"), [1, 2, 3, 4, 5]),
  ]

  /// Only what depends on an erased crossing is erased.
  @Test(arguments: jointAlertScopes)
  func jointAlertsLoseWhatDependsOnErasedCrossings(scope: ErasureScope, kept: Set<UInt64>) async throws {
    let folder = try TemporaryFolder()
    let own = try Self.crossing(5, of: .this, at: 2_000)
    let others = try Self.crossing(1, of: "other", at: 2_200)
    let all = Self.progress(after: [own, others])
    let store = try await storeWithJointAlerts(folder, all)
    let text = try #require(try store.alertProgress(of: []).first?.progress)
    #expect(holds(folder.file, Array(text.utf8)))
    try store.forget(scope)
    let rest = try store.notifications(of: nil, limit: 100)
    #expect(Set(rest.map(\.number)) == kept && rest.count == kept.count)
    for (number, device) in [(1, "other"), (2, "other"), (3, "other"), (4, "other"), (5, "this")] {
      let key = "key \(number) of \(device)"
      #expect(holds(folder.file, Array(key.utf8)) == kept.contains(UInt64(number)), "\(key)")
    }
    // The sequence waits after the first step, which the other device has made as well.
    let expected: AlertProgress? =
      kept.contains(2) ? all : kept.isEmpty ? nil : Self.progress(after: [others])
    #expect(try storedProgress(store) == expected)
    #expect(holds(folder.file, Array(text.utf8)) == (expected == all))
  }

  /// A crossing may be erased while a later one of another device is evaluated.
  @Test func resultsThatDependOnAnErasedCrossingAreNotStored() async throws {
    let folder = try TemporaryFolder()
    let own = try Self.crossing(5, of: .this, at: 2_000)
    let store = try await storeWithJointAlerts(folder, Self.progress(after: [own]))
    var with = commit([], device: "third")
    with.fenceRecords = [NumberedFenceRecord(number: 2, record: .event(try event(2, at: 4_000)))]
    try await store.commit(with)
    let last = try #require(try store.fenceRecords(afterPosition: 0, of: "third", limit: 100).last)
    let known = try store.alertProgress(of: ["third"])
    #expect(known.count == 1)
    try store.forget(.device(.this))
    for progress in [known, []] {
      let result = try store.commitAlerts(
        through: last.position, of: [last], by: progress, progress: progress,
        notifications: [try Self.notification(6, of: "third", after: progress.isEmpty ? [] : [own])],
        revoked: [], at: t(4_000))
      #expect(result == progress.isEmpty)
      #expect(try storedProgress(store) == nil)
    }
    #expect(try store.notifications(of: nil, limit: 100).first?.steps == "[]")
  }
}
