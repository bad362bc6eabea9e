public import WhereaboutsGeodesy
public import WhereaboutsModel

/// The only place that decides what a reader may see.
///
/// The owner of a device sees everything. Others see no fix in a zone that hides, and fixes on a grid in a zone that
/// coarsens or under an accuracy cap. A fix on a grid has no speed, course or height. A token with a beginning shows
/// nothing from before it. A link to a journey shows the fixes of the journey and its figures, and nothing else.
///
/// **Protected.** No answer holds a place in the cover of a zone that hides (``PrivacyZone/cover``), nor a place closer
/// than the grid of the zone or the cap. All places of a cell give one answer, so averaging gains nothing. The hole in
/// a track shows the private place no closer than the radius of its zone.
///
/// **Not protected.**
/// - The times at which fixes are missing show when the device was in a zone, and for how long.
/// - The last fix before a hole and the first one after the hole are exact. They show the roads that lead there.
/// - A series of fixes that changes cell shows that the device was on the line between the cells at that time. Many
///   changes show where the device crosses such lines, but nothing between them.
/// - An accuracy cap does not hide the names of fences, nor the times of their events. A reader who knows where a fence
///   is knows the place of its events.
/// - The numbers of a trip or a journey, such as its exact length, may fit one road only.
/// - Two readers with different caps who share their answers know both.
public struct Disclosure: Sendable {
  /// The token of the reader.
  public let reader: AccessToken
  private let zones: [PrivacyZone]

  /// Creates the rules of a reader.
  ///
  /// - Parameters:
  ///   - reader: the token of the reader.
  ///   - zones: every privacy zone.
  public init(reader: AccessToken, zones: [PrivacyZone]) {
    self.reader = reader
    self.zones = zones
  }

  // MARK: Rights

  /// Returns whether the reader may see anything of a device. Answer as for an unknown device otherwise.
  public func mayRead(_ device: DeviceID) -> Bool { reader.allows(.read, of: device) }

  /// Returns whether the reader is the owner of a device: an administrator, or the device itself with the right to
  /// write. A token with an accuracy cap is no owner's.
  public func isOwner(of device: DeviceID) -> Bool {
    guard reader.terms.accuracyCap == nil, reader.covers(device) else { return false }
    return reader.terms.scopes.contains(.admin)
      || (reader.device == device && reader.terms.scopes.contains(.write))
  }

  /// Returns whether the reader may see events of a time. A token with a beginning shows nothing from before it, a
  /// link to a journey nothing from after the journey, and neither shows anything without a time.
  public func maySee(_ time: UTCTime?) -> Bool {
    if let journeySpan { return time.map { journeySpan.contains($0) } ?? false }
    guard let since = reader.terms.since else { return true }
    return time.map { $0 >= since } ?? false
  }

  /// Returns whether the reader may see a usage of a device's receiver that began at a time.
  ///
  /// A usage shows whether the device is near a fence. A reader with an accuracy cap, and one of a device with zones,
  /// sees none.
  func maySeeUsage(from began: UTCTime?, of device: DeviceID) -> Bool {
    mayReadBeyondJourney(device) && maySee(began) && reader.terms.accuracyCap == nil
      && zones(of: device).isEmpty
  }

  // MARK: Places

  /// Returns a fix as the reader may see it; `nil` if the reader may not see the fix.
  public func fix(_ fix: Fix, of device: DeviceID) -> Fix? {
    maySee(fix.time) ? atAnyTime(fix, of: device) : nil
  }

  /// Returns the newest fix of a device as the reader may see it; `nil` if the reader may not see the fix, or sees a
  /// journey alone.
  func newestFix(_ fix: Fix, of device: DeviceID) -> Fix? {
    mayReadBeyondJourney(device) ? self.fix(fix, of: device) : nil
  }

  /// Returns a fix as the reader may see it, without regard to its time.
  private func atAnyTime(_ fix: Fix, of device: DeviceID) -> Fix? {
    guard mayRead(device) else { return nil }
    switch precision(of: fix.coordinate, accuracy: fix.horizontalAccuracy, device) {
    case .exact: return fix
    case .hidden: return nil
    case .grid(let grid):
      let cell = grid.cell(of: fix.coordinate)
      guard !isHidden(cell.center, device) else { return nil }
      // Built anew, so that nothing else is disclosed.
      var coarse = Fix(
        coordinate: cell.center, time: fix.time, source: fix.source, isSimulated: fix.isSimulated)
      coarse.horizontalAccuracy = grid.accuracy(in: cell, of: fix.horizontalAccuracy)
      coarse.isAccuracyEstimated = true
      return coarse
    }
  }

  /// Returns any place of a device, such as that of a visit, as the reader may see it; `nil` if the reader may not see
  /// the place. A place has no time: check ``maySee(_:)`` before.
  ///
  /// - Parameters:
  ///   - place: the place.
  ///   - accuracy: the radius of 68 % in metres; `nil` if unknown.
  ///   - device: the device.
  public func place(_ place: Coordinate, accuracy: Double?, of device: DeviceID) -> DisclosedPlace? {
    var fix = Fix(coordinate: place, time: nil, source: .scripted)
    fix.horizontalAccuracy = accuracy
    guard let shown = atAnyTime(fix, of: device) else { return nil }
    return DisclosedPlace(coordinate: shown.coordinate, accuracy: shown.horizontalAccuracy)
  }

  /// Returns free text about a device, such as an explanation; `nil` unless the reader is the owner. A text may hold
  /// any place.
  public func text(_ text: String, of device: DeviceID) -> String? {
    mayRead(device) && isOwner(of: device) ? text : nil
  }

  /// Returns a trip as the reader may see it; `nil` if the reader may not see the device. A trip holds no places, and
  /// its numbers stay.
  public func trip(_ trip: Trip, of device: DeviceID) -> Trip? {
    mayReadBeyondJourney(device) && maySee(trip.began) ? trip : nil
  }

  // MARK: Rules

  private enum Precision {
    case exact
    case grid(CoarseGrid)
    case hidden
  }

  private func precision(of place: Coordinate, accuracy: Double?, _ device: DeviceID) -> Precision {
    guard !isOwner(of: device) else { return .exact }
    let isNear = reader.terms.link?.nearness?.holds(place) ?? false
    var size = isNear ? nil : reader.terms.accuracyCap
    for zone in zones where zone.applies(to: device) && zone.mayHold(place, accuracy: accuracy) {
      switch zone.policy {
      case .hide: return .hidden
      case .coarsen(let metres): size = max(size ?? 0, metres)
      }
    }
    return size.map { .grid(CoarseGrid(size: $0)) } ?? .exact
  }

  /// Returns the size of the grid on which the reader sees a fix, in metres; `nil` if the fix is exact or hidden.
  func gridSize(of fix: Fix, of device: DeviceID) -> Double? {
    guard
      case .grid(let grid) = precision(of: fix.coordinate, accuracy: fix.horizontalAccuracy, device)
    else { return nil }
    return grid.size
  }

  /// Returns every size that ``gridSize(of:of:)`` can have for a device, with `nil` if some fixes are exact.
  func gridSizes(of device: DeviceID) -> Set<Double?> {
    let cap = isOwner(of: device) ? nil : reader.terms.accuracyCap
    // Near its place of arrival a link has no cap.
    let caps: Set<Double?> = reader.terms.link?.nearness == nil ? [cap] : [cap, nil]
    var sizes = caps
    for zone in zones(of: device) {
      guard case .coarsen(let metres) = zone.policy else { continue }
      for cap in caps { sizes.insert(max(cap ?? 0, metres)) }
    }
    return sizes
  }

  /// Returns whether a place is in the cover of a zone that hides.
  func isHidden(_ place: Coordinate, _ device: DeviceID) -> Bool {
    hidingZones(of: device).contains { $0.holds(place) }
  }

  /// Returns the zones that hide places of a device from the reader.
  func hidingZones(of device: DeviceID) -> [PrivacyZone] {
    isOwner(of: device) ? [] : zones.filter { $0.policy == .hide && $0.applies(to: device) }
  }

  /// The devices with zones of their own.
  var zonedDevices: [DeviceID] { zones.compactMap(\.device) }

  /// Returns the zones that apply to a device for the reader.
  func zones(of device: DeviceID) -> [PrivacyZone] {
    isOwner(of: device) ? [] : zones.filter { $0.applies(to: device) }
  }
}

/// A place as a reader may see it.
public struct DisclosedPlace: Hashable, Sendable {
  /// The place, perhaps the middle of a cell.
  public var coordinate: Coordinate
  /// The radius of 68 % in metres; `nil` if unknown.
  public var accuracy: Double?

  /// Creates a place with its accuracy.
  ///
  /// - Parameters:
  ///   - coordinate: the place.
  ///   - accuracy: the radius of 68 % in metres.
  public init(coordinate: Coordinate, accuracy: Double?) {
    self.coordinate = coordinate
    self.accuracy = accuracy
  }
}
