import Testing
import Whereabouts
import WhereaboutsEngine
import WhereaboutsGeodesy
import WhereaboutsModel
import WhereaboutsStore

@testable import WhereaboutsServer

/// Notifications about crossings that did not happen.
@Suite struct AlertCorrectionTests {
  private static func hour(_ hour: Double) -> UTCTime {
    UTCTime(nanosecondsSince1970: 0).advanced(by: .seconds(hour * 3600))
  }

  /// Returns the start of the notification about a crossing that turns out not to have happened at an hour.
  private static func start(revokedAt now: UTCTime, holds: Bool) throws -> UTCTime? {
    let night = try #require(ActiveHours(text: "22:00-06:00"))
    var alert = Alert(name: "way", steps: [Alert.Step(places: [Alert.Place("home")], kinds: [.exit])])
    alert.quietHours = night
    alert.holdsInQuietHours = holds
    var settings = AlertSettings()
    settings.alerts = [AlertSettings.Entry(alert: alert, channels: ["c"], sendsCorrections: true)]
    let place = try #require(Coordinate(latitude: 48, longitude: 11)), time = hour(21)
    let event = FenceEvent(
      id: FenceEvent.ID(1), fence: "home", kind: .exit, manner: .crossed, time: time, timeUncertainty: 1,
      lastBefore: time, firstAfter: time, place: place, confidence: 0.99,
      decidedBy: Fix(coordinate: place, time: time, source: .nmea), decided: time, pending: .zero)
    var state = AlertState(settings, presence: AlertPresence()), results = AlertState.Results()
    state.revise(event.id, of: "anna", to: nil, from: event, number: 2, at: now, &results) { _, _ in true }
    return results.notifications.first?.notBefore
  }

  @Test func correctionRespectsTheQuietHours() throws {
    #expect(try Self.start(revokedAt: Self.hour(21.5), holds: true) == Self.hour(21.5))
    #expect(try Self.start(revokedAt: Self.hour(23), holds: true) == Self.hour(30))
    #expect(try Self.start(revokedAt: Self.hour(23), holds: false) == nil)
  }

  /// A crossing may be revoked while its notification is under way.
  @Test func notificationUnderWayCountsAsDelivered() {
    let status = AlertStatus(nil)
    let notification = StoredNotification(
      key: "k", alert: "way", channel: "c", device: "anna", number: 1, event: FenceEvent.ID(1),
      kind: .crossing, time: Self.hour(1), steps: "[]", isJoint: false, created: Self.hour(1),
      notBefore: Self.hour(1))
    status.setAttempt(of: "c", notification)
    #expect(status.isDelivering(FenceEvent.ID(1), of: "anna", by: "c", alert: "way"))
    #expect(!status.isDelivering(FenceEvent.ID(1), of: "ben", by: "c", alert: "way"))
    #expect(!status.isDelivering(FenceEvent.ID(2), of: "anna", by: "c", alert: "way"))
    #expect(!status.isDelivering(FenceEvent.ID(1), of: "anna", by: "d", alert: "way"))
    status.setAttempt(of: "c", nil)
    #expect(!status.isDelivering(FenceEvent.ID(1), of: "anna", by: "c", alert: "way"))
  }
}
