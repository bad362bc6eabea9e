import Foundation
import Testing
import Whereabouts
import WhereaboutsEngine
import WhereaboutsGeodesy
import WhereaboutsModel
import WhereaboutsStore
import WhereaboutsTesting

@testable import WhereaboutsServer

/// Random alerts over random records, with kills between any two steps: before the commit, after it, and in the middle of a
/// page. What is notified is the same as without a kill.
@Suite struct AlertKillPropertyTests {
  /// One firing of an alert, without its id and the time of its evaluation.
  private struct Firing: Hashable {
    var alert: String, channel: String, device: DeviceID, number: UInt64, kind: StoredNotification.Kind
    var steps: [Step]?
  }

  /// A crossing of a sequence. The members of its text have no order.
  private struct Step: Hashable, Decodable {
    var device: String, number: UInt64, id: UInt64
  }

  /// The content of the store, which changes in one transaction.
  private struct Committed {
    var position = 0
    var progress: [AlertProgressKey: String] = [:]
    var firings: [Firing] = []
  }

  private struct Record {
    var device: DeviceID, number: UInt64, record: FenceRecord
  }

  private static let fences: [FenceID] = ["a", "b", "c"]
  private static let devices: [DeviceID] = ["anna", "ben"]

  @Test(arguments: 0..<200 as Range<UInt64>)
  func noAlertFiresTwiceForOneCrossing(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let settings = Self.settings(&random), records = try Self.records(&random)
    let calm = try Self.run(settings, records) { (records.count, false) }
    let killed = try Self.run(settings, records) {
      (Int.random(in: 1...5, using: &random), Int.random(in: 0..<3, using: &random) == 0)
    }
    #expect(killed.firings == calm.firings, "seed \(seed)")
    #expect(Set(killed.firings).count == killed.firings.count, "seed \(seed)")
  }

  /// Evaluates the records in pages.
  ///
  /// - Parameter step: the greatest size of the next page, and whether a kill comes before its commit.
  private static func run(
    _ settings: AlertSettings, _ records: [Record], _ step: () -> (size: Int, isKilled: Bool)
  ) throws -> Committed {
    var committed = Committed()
    while committed.position < records.count {
      let (size, isKilled) = step()
      // A process that begins knows what is committed, and nothing else.
      var state = AlertState(settings, presence: presence(records[..<committed.position]))
      for (key, text) in committed.progress {
        state.restore(StoredAlertProgress(alert: key.alert, device: key.device, progress: text))
      }
      let page = records[committed.position...].prefix(size)
      var results = AlertState.Results()
      for entry in page { evaluate(entry, records, &state, committed, &results) }
      guard !isKilled else { continue }
      committed.position = page.endIndex
      for (key, progress) in results.progress {
        committed.progress[key] = try progress.map {
          String(decoding: try JSONEncoder().encode($0), as: UTF8.self)
        }
      }
      committed.firings += results.notifications.map(Self.firing)
    }
    return committed
  }

  private static func evaluate(
    _ entry: Record, _ records: [Record], _ state: inout AlertState, _ committed: Committed,
    _ results: inout AlertState.Results
  ) {
    switch entry.record {
    case .event(let event):
      state.evaluate(
        event, of: entry.device, number: entry.number, position: entry.number, at: moment(1e6), &results)
    case .revised(let id, let event):
      var before: FenceEvent?
      for earlier in records where earlier.device == entry.device && earlier.number < entry.number {
        switch earlier.record {
        case .event(let event) where event.id == id: before = event
        case .revised(id, let event?): before = event
        default: break
        }
      }
      let fired = committed.firings.map { ($0.alert, $0.channel, $0.device, $0.number) }
      let new = results.notifications.map { ($0.alert, $0.channel, $0.device, $0.number) }
      state.revise(
        id, of: entry.device, to: event, from: before, number: entry.number, at: moment(1e6), &results
      ) { alert, channel in
        (fired + new).contains {
          $0.0 == alert && $0.1 == channel && $0.2 == entry.device && $0.3 == id.number
        }
      }
    case .decided, .removed: break
    }
  }

  private static func firing(_ notification: StoredNotification) -> Firing {
    Firing(
      alert: notification.alert, channel: notification.channel, device: notification.device,
      number: notification.number, kind: notification.kind,
      steps: try? JSONDecoder().decode([Step].self, from: Data(notification.steps.utf8)))
  }

  /// The fences that the devices are in after some records, as the server reads them when it starts.
  private static func presence(_ records: ArraySlice<Record>) -> AlertPresence {
    var presence = AlertPresence(), events: [String: FenceEvent] = [:]
    for entry in records {
      switch entry.record {
      case .event(let event):
        presence.apply(event, of: entry.device)
        events["\(entry.device) \(event.id)"] = event
      case .revised(let id, nil):
        if let event = events["\(entry.device) \(id)"] { presence.revert(event, of: entry.device) }
      case .revised, .decided, .removed: break
      }
    }
    return presence
  }

  private static func moment(_ seconds: Double) -> UTCTime { t(0).advanced(by: .seconds(seconds)) }

  // MARK: Random cases

  private static func settings(_ random: inout SeededGenerator) -> AlertSettings {
    var settings = AlertSettings()
    for index in 0..<Int.random(in: 1...3, using: &random) {
      let steps = (0..<Int.random(in: 1...3, using: &random)).map { step in
        let fences = Set(self.fences.shuffled(using: &random).prefix(Int.random(in: 1...2, using: &random)))
        return Alert.Step(
          places: [Alert.Place(name: "place", fences: fences)],
          kinds: Bool.random(using: &random) ? [.enter, .exit] : [.exit],
          within: step > 0 && Bool.random(using: &random) ? .seconds(1200) : nil)
      }
      var alert = Alert(name: "alert \(index)", steps: steps)
      alert.combinesDevices = Bool.random(using: &random)
      if Bool.random(using: &random) { alert.coolDown = .seconds(900) }
      if Bool.random(using: &random) { alert.hours = ActiveHours(text: "12:00-18:00") }
      settings.alerts.append(
        AlertSettings.Entry(
          alert: alert, channels: Bool.random(using: &random) ? ["one"] : ["one", "two"],
          sendsCorrections: Bool.random(using: &random)))
    }
    return settings
  }

  /// Crossings of two devices, of which some are revised or revoked later.
  private static func records(_ random: inout SeededGenerator) throws -> [Record] {
    var records: [Record] = [], numbers: [DeviceID: UInt64] = [:], standing: [(DeviceID, FenceEvent)] = []
    let place = try #require(Coordinate(latitude: 48, longitude: 11))
    var minute = 0.0
    for _ in 0..<40 {
      minute += Double.random(in: 0...8, using: &random)
      let time = moment(minute * 60), isNew = standing.isEmpty || Int.random(in: 0..<5, using: &random) > 0
      let device = isNew ? devices.randomElement(using: &random) ?? "anna" : standing[0].0
      numbers[device, default: 0] += 1
      let number = numbers[device] ?? 0
      guard isNew else {
        let index = Int.random(in: 0..<standing.count, using: &random)
        let (owner, old) = standing[index]
        if owner != device {
          numbers[device] = number - 1
          numbers[owner, default: 0] += 1
        }
        let isRevoked = Bool.random(using: &random)
        var event = old
        event.confidence = 0.8
        records.append(
          Record(
            device: owner, number: numbers[owner] ?? 0, record: .revised(old.id, isRevoked ? nil : event)))
        if isRevoked { standing.remove(at: index) }
        continue
      }
      let event = FenceEvent(
        id: FenceEvent.ID(number), fence: fences.randomElement(using: &random) ?? "a",
        kind: Bool.random(using: &random) ? .enter : .exit, manner: .crossed, time: time, timeUncertainty: 1,
        lastBefore: time, firstAfter: time, place: place, confidence: 0.99,
        decidedBy: Fix(coordinate: place, time: time, source: .nmea), decided: time, pending: .zero)
      records.append(Record(device: device, number: number, record: .event(event)))
      standing.append((device, event))
    }
    return records
  }
}
