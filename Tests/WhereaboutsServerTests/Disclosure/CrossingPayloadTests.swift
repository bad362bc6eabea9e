import Foundation
import Testing
import WhereaboutsModel

@testable import WhereaboutsServer

@Suite struct CrossingPayloadTests {
  private static func confidence(_ probability: Double) throws -> Double? {
    var event = DisclosureFixture.event(.enter, at: DisclosureFixture.home)
    event.confidence = probability
    let crossing = CrossingPayload(
      device: "anna", type: "enter", id: event.id,
      event: DisclosedFenceEvent(event, place: nil, decidedBy: nil), fenceName: nil)
    let object = try JSONSerialization.jsonObject(with: Data(crossing.payload)) as? [String: Any]
    return object?["confidence"] as? Double
  }

  /// The API and the command state it so, too.
  @Test func confidenceBelowOneIsNotRoundedToCertainty() throws {
    #expect(try Self.confidence(0.999_999_9) == 0.999_999)
    #expect(try Self.confidence(0.987_654_3) == 0.987_654)
    #expect(try Self.confidence(1) == 1)
  }
}
