import Testing
import WhereaboutsModel

@testable import WhereaboutsCLI
@testable import WhereaboutsOperations

@Suite struct TrackedTripTests {
  private static let end = UTCTime(nanosecondsSince1970: 1)

  /// Trips of some names; those with a point behind are over.
  private static func trips(_ names: [String]) -> [Trip] {
    names.map { name in
      name.hasSuffix(".")
        ? Trip(id: TripID(rawValue: String(name.dropLast())), ended: end) : Trip(id: TripID(rawValue: name))
    }
  }

  @Test(
    arguments: [
      ([], nil, "drive", false), (["drive"], nil, "drive", true), (["drive."], nil, "drive-2", false),
      (["drive.", "drive-2"], nil, "drive-2", true), (["walk"], nil, "drive", false),
      (["driven"], nil, "drive", false),
      (["drive"], "way", "way", false), (["drive", "way"], "way", "way", true),
    ] as [([String], String?, String, Bool)])
  func openTripIsResumed(trips: [String], name: String?, id: String, goesOn: Bool) throws {
    let kept = try TrackedTrip(among: Self.trips(trips), name: name, source: "drive", begins: false)
    #expect(kept.id.rawValue == id && (kept.previous != nil) == goesOn && kept.endedTrips.isEmpty)
  }

  @Test(
    arguments: [
      ([], nil, "drive", []), (["drive"], nil, "drive-2", ["drive"]),
      (["drive.", "walk"], nil, "drive-2", []),
      (["drive", "walk"], "way", "way", ["drive", "walk"]),
    ] as [([String], String?, String, [String])])
  func newTripEndsOpenTrips(trips: [String], name: String?, id: String, ends: [String]) throws {
    let kept = try TrackedTrip(among: Self.trips(trips), name: name, source: "drive", begins: true)
    #expect(kept.id.rawValue == id && kept.previous == nil && kept.endedTrips.map(\.rawValue) == ends)
  }

  /// --anew is no remedy: the name stays in use.
  @Test(arguments: [("a.", false), ("a.", true), ("a", true)])
  func duplicateNameIsRejected(trip: String, begins: Bool) {
    let problem = #expect(throws: CommandError.self) {
      try TrackedTrip(among: Self.trips([trip]), name: "a", source: "drive", begins: begins)
    }
    #expect(problem?.message.contains("Pass another name to --trip") == true)
    #expect(problem?.message.contains("--anew") == false)
  }
}
