import NIOHTTP1
import Testing
import Whereabouts
import WhereaboutsEngine
import WhereaboutsGeodesy
import WhereaboutsModel
import WhereaboutsStore

@testable import WhereaboutsServer

/// Alerts after an erasure.
extension AlertDeliveryTests {
  /// The first notification of a channel waits for an hour, and the next ones behind it.
  @Test func erasureOfAWaitingNotificationDeliversTheNextOne() async throws {
    let receiver = try await WebhookReceiver(fields: ["Retry-After": "3600"]) {
      $0 == 1 ? .serviceUnavailable : .ok
    }
    try await TestServer.run(settings(#"{"webhook": "\#(receiver.url)"}"#)) { server in
      let start = UTCTime.now.advanced(by: .seconds(-3000))
      try await send(legs: 0..<2, server, since: start)
      _ = try await Self.wait(server) { $0.channels[0].waiting == 2 && $0.channels[0].failure != nil }
      let span = "?to=\(start.advanced(by: .seconds(700)).iso8601)"
      let path = "/api/v1/devices/anna/fixes" + span
      #expect(try await server.send(.DELETE, path, token: server.admin).status == 200)
      let overview = try await Self.wait(server) { $0.channels[0].delivered == 1 }
      #expect(overview.decisions.map(\.event) == ["enter"])
    }
    await receiver.stop()
  }

  /// Devices that count as one share an alert, in which other devices take no part.
  @Test func erasureOfAnUnrelatedDeviceKeepsNotificationsOfDevicesTogether() async throws {
    let receiver = try await WebhookReceiver(fields: ["Retry-After": "3600"]) { _ in .serviceUnavailable }
    let settings = try settings(
      #"{"webhook": "\#(receiver.url)"}"#, #", "devices": ["anna", "ben"], "together": true"#)
    try await TestServer.run(settings) { server in
      let start = UTCTime.now.advanced(by: .seconds(-3000))
      try await send(legs: 0..<1, server, since: start)
      let cem = try server.token("cem", [.read, .write])
      #expect(try await server.post("/overland", Self.leg(0, since: start), token: cem).status == 200)
      _ = try await Self.wait(server) { $0.channels[0].waiting == 1 && $0.channels[0].failure != nil }
      for data in ["/fixes?to=\(UTCTime.now.iso8601)", ""] {
        let path = "/api/v1/devices/cem" + data
        #expect(try await server.send(.DELETE, path, token: server.admin).status == 200)
        let overview = try await Self.wait(server) { _ in true }
        #expect(overview.notifications.map(\.status) == ["waiting"], "\(path)")
      }
      let span = "/api/v1/devices/anna/fixes?to=\(UTCTime.now.iso8601)"
      #expect(try await server.send(.DELETE, span, token: server.admin).status == 200)
      let overview = try await Self.wait(server) { _ in true }
      #expect(overview.notifications.isEmpty && overview.channels[0].waiting == 0)
    }
    await receiver.stop()
  }

  /// `whereabouts forget` erases beside a server.
  @Test func erasureByAnotherProcessDeliversTheNextNotification() async throws {
    let receiver = try await WebhookReceiver(fields: ["Retry-After": "3600"]) {
      $0 == 1 ? .serviceUnavailable : .ok
    }
    try await TestServer.run(settings(#"{"webhook": "\#(receiver.url)"}"#)) { server in
      let start = UTCTime.now.advanced(by: .seconds(-3000))
      try await send(legs: 0..<2, server, since: start)
      let before = try await Self.wait(server) {
        $0.channels[0].waiting == 2 && $0.channels[0].failure != nil
      }
      let erased = try #require(before.notifications.first { $0.attempts == 1 }).id
      let other = try SQLiteStore.open(at: server.store.path)
      try other.forget(.span(start..<start.advanced(by: .seconds(700)), of: "anna"))
      other.close()
      let after = try await Self.wait(server) { $0.channels[0].delivered == 1 }
      #expect(after.channels[0].waiting == 0 && !after.notifications.contains { $0.id == erased })
    }
    await receiver.stop()
    var sent: [String] = []
    for await request in receiver.requests.prefix(2) { sent.append(request.id) }
    #expect(Set(sent).count == 2)
  }

  /// `whereabouts forget` erases beside a server, and the ids of crossings begin again with a new device of the name.
  @Test func decisionErasedByAnotherProcessIsForgotten() async throws {
    try await TestServer.run(settings(#"{"command": ["/bin/true"]}"#)) { server in
      let start = UTCTime.now.advanced(by: .seconds(-3000)), alerts = server.core.alerts
      try await send(legs: 0..<1, server, since: start)
      _ = try await Self.wait(server) { $0.decisions.count == 1 && $0.channels[0].delivered == 1 }
      let erased = try #require(alerts.decisions.first)
      let other = try SQLiteStore.open(at: server.store.path)
      // No other part of the server learns of it.
      let rows = try await server.core.devices.erase("anna") { () throws(StoreError) -> Int in
        try other.forget(.device("anna"))
      }
      #expect(rows > 0)
      other.close()
      #expect(try alerts.storedDecisions(in: server.store).isEmpty && alerts.decisions.isEmpty)
      try await send(legs: 0..<1, server, since: start)
      let overview = try await Self.wait(server) { !$0.decisions.isEmpty }
      let new = try #require(alerts.decisions.first)
      #expect(overview.decisions.count == 1 && alerts.decisions.count == 1)
      #expect(new.event.id == erased.event.id && new.position > erased.position)
    }
  }

  /// An evaluation may have begun before the erasure.
  @Test func decisionsAboutADeviceThatIsErasedMeanwhileAreNotListed() throws {
    let place = try #require(Coordinate(latitude: 48, longitude: 11)), time = UTCTime.now
    let event = FenceEvent(
      id: FenceEvent.ID(1), fence: "home", kind: .exit, manner: .crossed, time: time, timeUncertainty: 1,
      lastBefore: time, firstAfter: time, place: place, confidence: 0.99,
      decidedBy: Fix(coordinate: place, time: time, source: .nmea), decided: time, pending: .zero)
    func decision(_ device: DeviceID) -> AlertStatus.Decision {
      AlertStatus.Decision(
        time: time, alert: "way", device: device, event: event, position: 1,
        outcome: .notified(notBefore: nil))
    }
    let status = AlertStatus(nil), before = status.erasures
    status.forget("anna")
    status.append([decision("anna"), decision("ben")], since: before)
    #expect(status.decisions.map(\.device) == ["ben"])
    status.append([decision("anna")], since: status.erasures)
    #expect(status.decisions.map(\.device) == ["anna", "ben"])
  }
}
