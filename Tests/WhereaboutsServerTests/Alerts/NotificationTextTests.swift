import Foundation
import Testing
import Whereabouts
import WhereaboutsGeodesy
import WhereaboutsModel
import WhereaboutsStore

@testable import WhereaboutsServer

@Suite struct NotificationTextTests {
  /// Returns the sentence about an entry at 2024-05-14 07:41 UTC.
  private func sentence(uncertainty: Double) throws -> String {
    let place = try #require(Coordinate(latitude: 48, longitude: 11))
    let time = UTCTime(nanosecondsSince1970: 1_715_672_460_000_000_000)
    let event = FenceEvent(
      id: FenceEvent.ID(1), fence: "school", kind: .enter, manner: .unseen, time: time,
      timeUncertainty: uncertainty, lastBefore: time, firstAfter: time, place: place, confidence: 0.99,
      decidedBy: Fix(coordinate: place, time: time, source: .nmea), decided: time, pending: .zero)
    let crossing = CrossingPayload(
      device: "anna", type: "enter", id: event.id,
      event: DisclosedFenceEvent(event, place: nil, decidedBy: nil), fenceName: nil)
    let message = NotificationMessage(
      key: "1", alert: "a", kind: .crossing, crossing: crossing, earlier: [], created: time)
    return NotificationText(timeZone: try #require(TimeZone(identifier: "UTC"))).sentence(message)
  }

  @Test func uncertainTimeIsMarked() throws {
    #expect(try sentence(uncertainty: 20) == "anna entered school at 07:41.")
    #expect(try sentence(uncertainty: 3000) == "anna entered school at 07:41 ±50 min.")
    #expect(try sentence(uncertainty: 74_236) == "anna entered school at 07:41 ±21 h.")
  }
}
