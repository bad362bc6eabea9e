import Whereabouts
import WhereaboutsCore

/// The trip that a run of `track` measures: one that is open, or another.
struct KeptTrip: Sendable {
  let id: TripID
  /// How it stood when it was gone on with; `nil` for one that begins.
  let before: Trip?
  /// Trips that are over because this one begins.
  var ends: [TripID] = []

  /// Chooses it.
  ///
  /// - Parameters:
  ///   - trips: all there are.
  ///   - name: what it is to be called; `nil` goes on with an open one of that recording, or makes a name.
  ///   - source: what it is called otherwise.
  ///   - begins: whether it is another in any case.
  init(among trips: [Trip], name: String?, source: String, begins: Bool) throws(CommandFailure) {
    let taken = Set(trips.map(\.id.rawValue))
    let open = trips.filter { $0.ended == nil }
    if begins {
      if let name, let trip = trips.first(where: { $0.id.rawValue == name }) {
        throw CommandFailure("could not begin \(trip.id): there is a trip of that name already")
      }
      id = TripID(rawValue: name ?? Self.free(source, besides: taken))
      before = nil
      ends = open.map(\.id).filter { name != nil || Self.isOf(source, $0.rawValue) }
      return
    }
    let meant =
      name.map { name in trips.first { $0.id.rawValue == name } }
      ?? open.last { Self.isOf(source, $0.id.rawValue) }
    if let meant, meant.ended != nil {
      throw CommandFailure(
        "could not go on with \(meant.id): it has ended. --trip names another, or --anew begins one")
    }
    id = meant?.id ?? TripID(rawValue: name ?? Self.free(source, besides: taken))
    before = meant
  }

  /// Whether a trip has the name of a source, or one made from it.
  private static func isOf(_ source: String, _ name: String) -> Bool {
    guard name.hasPrefix(source) else { return false }
    let rest = name.dropFirst(source.count)
    return rest.isEmpty || (rest.first == "-" && Int(rest.dropFirst()) != nil)
  }

  /// The source's name, with a number where that is taken.
  private static func free(_ source: String, besides taken: Set<String>) -> String {
    guard taken.contains(source) else { return source }
    var number = 2
    while taken.contains("\(source)-\(number)") { number += 1 }
    return "\(source)-\(number)"
  }
}
