import Foundation
import NIOHTTP1
import Testing
import Whereabouts
import WhereaboutsModel

/// A link to the journey of a device between two stays.
struct JourneyLink {
  /// Two stays of ten minutes, 1.6 km apart, and the way between them, for a batch with a fix every 20 s.
  static let distances =
    Array(repeating: 0.0, count: 30) + (1...40).map { Double($0) * 40 } + Array(repeating: 1600.0, count: 30)

  var secret: String
  var id: Int
  /// The span that the link shows.
  var span: ClosedRange<UTCTime>
}

extension TestServer {
  /// Returns the identifier of the first journey in the last days of the device `anna`.
  func journeyID(_ owner: String) async throws -> String {
    struct Days: Decodable {
      var days: [Day]

      struct Day: Decodable { var segments: [Segment] }

      struct Segment: Decodable {
        var type: String
        var id: String
      }
    }
    let answer = try await get("/api/v1/devices/anna/days", token: owner)
    let days = try JSONDecoder().decode(Days.self, from: Data(answer.body.utf8)).days
    return try #require(days.flatMap(\.segments).first { $0.type == "journey" }).id
  }

  /// Creates a link to this journey.
  ///
  /// - Parameter terms: further members of the body, as in `,"looks":1`.
  func journeyLink(_ owner: String, _ terms: String = "") async throws -> JourneyLink {
    let journey = try await journeyID(owner)
    let body = #"{"seconds":3600,"journey":"\#(journey)"\#(terms)}"#
    let answer = try await post("/api/v1/devices/anna/links", body, token: owner)
    #expect(answer.status == 201, "\(answer.body)")
    let path = try #require(answer["path", as: String.self])
    let since = try #require(answer["since", as: String.self].flatMap { UTCTime(iso8601: $0) })
    let until = try #require(answer["until", as: String.self].flatMap { UTCTime(iso8601: $0) })
    return JourneyLink(
      secret: String(path.dropFirst("/#token=".count)), id: try #require(answer["id", as: Int.self]),
      span: since...until)
  }
}
