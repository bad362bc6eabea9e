import Whereabouts
package import WhereaboutsModel

/// The trip of a `track` run: a resumed open trip or a new trip.
package struct TrackedTrip: Sendable {
  package let id: TripID
  /// The resumed trip before this run; `nil` for a new trip.
  package let previous: Trip?
  /// The trips that end because this trip begins.
  package var endedTrips: [TripID] = []
  /// The name of a new trip; `nil` for a resumed trip.
  package var newID: TripID? { previous == nil ? id : nil }

  /// Selects or creates the trip.
  ///
  /// - Parameters:
  ///   - trips: all trips of the device.
  ///   - name: the requested name; `nil` resumes an open trip of the source, or creates a name.
  ///   - source: the base of a created name.
  ///   - begins: whether to begin a new trip in any case.
  package init(among trips: [Trip], name: String?, source: String, begins: Bool) throws(CommandError) {
    let taken = Set(trips.map(\.id.rawValue))
    let open = trips.filter { $0.ended == nil }
    if begins {
      if let name, let trip = trips.first(where: { $0.id == TripID(name) }) {
        throw CommandError(
          "could not start trip \(trip.id): a trip with this name exists. Pass another name to --trip.")
      }
      id = TripID(rawValue: name ?? Self.uniqueName(source, besides: taken))
      previous = nil
      endedTrips = open.map(\.id).filter { name != nil || Self.matches(source, $0.rawValue) }
      return
    }
    let meant =
      name.map { name in trips.first { $0.id == TripID(name) } }
      ?? open.last { Self.matches(source, $0.id.rawValue) }
    if let meant, meant.ended != nil {
      throw CommandError(
        """
        could not resume trip \(meant.id): it has ended. Pass another name to --trip to start a trip.
        """)
    }
    id = meant?.id ?? TripID(rawValue: name ?? Self.uniqueName(source, besides: taken))
    previous = meant
  }

  /// Returns whether the name of a trip is the name of a source, or a name created from the source's name.
  private static func matches(_ source: String, _ name: String) -> Bool {
    guard name.hasPrefix(source) else { return false }
    let rest = name.dropFirst(source.count)
    return rest.isEmpty || (rest.first == "-" && Int(rest.dropFirst()) != nil)
  }

  /// Returns the name of the source, with a number if the name is in use.
  private static func uniqueName(_ source: String, besides taken: Set<String>) -> String {
    guard taken.contains(source) else { return source }
    var number = 2
    while taken.contains("\(source)-\(number)") { number += 1 }
    return "\(source)-\(number)"
  }
}
