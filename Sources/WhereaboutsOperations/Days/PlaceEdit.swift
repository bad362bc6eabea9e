import Whereabouts
import WhereaboutsFormats
import WhereaboutsGeodesy
package import WhereaboutsModel
import WhereaboutsReports
import WhereaboutsStore

/// A change of places in a store.
package struct PlaceEdit {
  package let store: OpenStore
  private let places: [VisitedPlace]
  private let placesOfVisits: [SegmentID: Place]
  /// The device whose fences are changed: fences of all commands are those of this device, unless another one is given.
  private let fencedDevice: DeviceID

  package init(_ reader: DaysReader) throws {
    store = try OpenStore.writingPast(reader.store)
    fencedDevice = reader.store.device ?? .this
    var history = try reader.history(of: store)
    // No list shows the places of wrong dates.
    history.removeFuture()
    places = history.places
    placesOfVisits = history.placesOfVisits()
  }

  /// Names a place, or changes its name.
  ///
  /// - Parameters:
  ///   - text: the identifier or the name of the place.
  ///   - radius: the new radius in metres; `nil` for no change.
  package func setName(of text: String, to name: String, radius: Double?) throws -> Place {
    let found = try place(text)
    if let other = places.first(where: { $0.place.name == name }), other.place.id != found.place.id {
      throw CommandError(
        """
        could not name \(text): \(other.place.id) has this name. Run `whereabouts places merge` to merge the \
        two places.
        """)
    }
    if places.contains(where: { $0.place.id == name && $0.place.id != found.place.id }) {
      throw CommandError(
        "could not name \(text): \(name) is the identifier of another place; choose another name")
    }
    var kept = found.kept
    kept.name = name
    if let radius { kept.radius = radius }
    try save([kept])
    return kept
  }

  /// Merges a place into another one.
  ///
  /// - Returns: the place that has ended, and the place with the visits of both.
  package func merge(_ text: String, into other: String) throws -> (ended: Place, kept: Place) {
    let from = try place(text), target = try place(other)
    guard from.place.id != target.place.id else {
      throw CommandError("could not merge \(text): both are the same place", code: .usage)
    }
    var ended = from.kept, kept = target.kept
    ended.mergedInto = target.place.id
    if kept.name == nil {
      kept.name = ended.name
      ended.name = nil
    }
    try save([ended, kept])
    return (ended, kept)
  }

  /// Erases what a store keeps of a place, also of one that can't be read.
  ///
  /// - Parameter text: the identifier or the name of the place.
  package static func remove(_ text: String, from selection: StoreSelection) throws {
    let store: OpenStore
    if selection.device == nil {
      store = try OpenStore.writingPast(selection)
    } else {
      // The device may have places and no other past.
      store = try OpenStore.writingExisting(selection)
    }
    defer { store.close() }
    guard try store.attempt({ try $0.erasePlace(text, of: store.device) }) > 0 else {
      throw CommandError(
        """
        the store keeps no place of device \(store.device.rawValue) with the identifier or name \(text). Run \
        `whereabouts places` to list the places.
        """)
    }
  }

  /// Adds a fence around a place.
  ///
  /// - Parameters:
  ///   - text: the identifier or the name of the place.
  ///   - id: the id of the fence; `nil` for the name or the identifier of the place.
  ///   - radius: the radius in metres; `nil` for that of the place.
  package func addFence(around text: String, id: String?, radius: Double?) throws -> Fence {
    let found = try place(text).place
    let id = FenceID(id ?? found.name ?? found.id)
    guard FenceReader.isValidID(id.name) else {
      throw CommandError(
        "the id can't be \"\(id)\", which a path can't name. Pass --id to use another id.", code: .usage)
    }
    let area: Area
    do {
      area = .circle(try Area.Circle(center: found.coordinate, radius: radius ?? found.radius))
    } catch {
      throw CommandError("could not make the fence: \(error)", code: .usage)
    }
    let fence = Fence(id: id, area: area, name: found.name)
    let fenced = OpenStore(base: store.base, path: store.path, device: fencedDevice)
    try fenced.changeFences { fences throws(CommandError) in
      guard !fences.contains(where: { $0.id == id }) else {
        throw CommandError("could not add \(id): a fence with this id exists. Pass --id to use another id.")
      }
      fences.append(fence)
    }
    return fence
  }

  /// Returns the place of an identifier or a name. An answer about some days gives a place the identifier of its first
  /// visit in them, so that the one of each visit leads to its place.
  private func place(_ text: String) throws(CommandError) -> VisitedPlace {
    if let place = places.first(where: { $0.place.id == text || $0.place.name == text }) { return place }
    let close = places.filter { $0.place.name?.lowercased() == text.lowercased() }
    if close.count == 1 { return close[0] }
    let visited = placesOfVisits.first { $0.key.placeID == text }?.value
    if let visited, let place = places.first(where: { $0.place.id == visited.id }) { return place }
    throw CommandError(
      "no place has the identifier or name \(text). Run `whereabouts places` to list the places.")
  }

  private func save(_ places: [Place]) throws { try store.attempt { try $0.save(places, of: store.device) } }
}
