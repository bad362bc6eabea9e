public import Whereabouts
public import WhereaboutsGeodesy

/// A circle around a private place, in which readers see no fix, or only a coarse one.
///
/// The zone applies in a larger circle, its ``cover``. A reader with many fixes can find the circle in which fixes are
/// missing, and with a circle around the place its centre would be the place. The cover therefore has twice the radius,
/// and its centre is displaced by a random distance and direction, once, at creation. The cover holds the zone. Its
/// centre shows the place no closer than the radius of the zone.
public struct PrivacyZone: Hashable, Sendable {
  /// The disclosure of a fix in the zone.
  public enum Policy: Hashable, Sendable {
    /// The fix is withheld.
    case hide
    /// The fix is snapped to a grid of that many metres.
    case coarsen(Double)
  }

  /// The smallest and the greatest radius, in metres.
  public static let radii: ClosedRange<Double> = 50...100_000
  /// The smallest and the greatest grid, in metres.
  public static let grids: ClosedRange<Double> = TokenTerms.accuracyCaps
  /// The greatest length of a name, in bytes of UTF-8.
  public static let maximumNameLength = 100

  /// The unique name.
  public let name: String
  /// The private place.
  public let center: Coordinate
  /// The radius of the zone, in metres.
  public let radius: Double
  /// The disclosure of a fix in the zone.
  public let policy: Policy
  /// The only device; `nil` for every device.
  public let device: DeviceID?
  /// The displaced circle in which the zone applies.
  public let cover: Area.Circle

  /// Creates a zone with a displacement of its own.
  ///
  /// - Parameters:
  ///   - name: the unique name.
  ///   - center: the private place.
  ///   - radius: the radius of the zone, in metres.
  ///   - policy: the disclosure of a fix in the zone.
  ///   - device: the only device; `nil` for every device.
  ///   - generator: the source of the displacement.
  /// - Throws: ``PrivacyZoneError`` if a value is out of range.
  public init(
    name: String, center: Coordinate, radius: Double, policy: Policy, device: DeviceID? = nil,
    using generator: inout some RandomNumberGenerator
  ) throws(PrivacyZoneError) {
    try Self.check(name: name, radius: radius, policy: policy, device: device)
    self.name = name
    self.center = center
    self.radius = radius
    self.policy = policy
    self.device = device
    cover = try Self.cover(of: center, radius: radius, using: &generator)
  }

  /// Creates a zone from its stored form.
  init(
    name: String, center: Coordinate, radius: Double, policy: Policy, device: DeviceID?, cover: Area.Circle
  ) {
    self.name = name
    self.center = center
    self.radius = radius
    self.policy = policy
    self.device = device
    self.cover = cover
  }

  /// Returns whether the zone applies to a device.
  public func applies(to device: DeviceID) -> Bool { self.device == nil || self.device == device }

  /// Returns whether a place is in the cover, or so close that the true place may well be.
  ///
  /// A device at the private place has inaccurate fixes outside the cover. Their scatter would show the direction of
  /// the place, so the cover grows by twice the accuracy of a fix: about one fix in a hundred is farther off.
  ///
  /// - Parameters:
  ///   - place: the place.
  ///   - accuracy: the radius of 68 % in metres; 50 m if unknown.
  public func mayHold(_ place: Coordinate, accuracy: Double?) -> Bool {
    let accuracy = accuracy ?? Self.unknownAccuracy
    // A NaN accuracy carries no information.
    let margin = accuracy.isNaN ? .infinity : 2 * max(0, accuracy)
    return !(distance(from: place) > margin)
  }

  /// Returns whether a place is in the cover.
  public func holds(_ place: Coordinate) -> Bool { mayHold(place, accuracy: 0) }

  /// Returns whether the boundary of an area reaches into the cover. Crossings of such a boundary are in the zone.
  func isTouched(byBoundaryOf area: Area) -> Bool {
    let distance = area.signedDistance(to: cover.center)
    return !(distance.metres.magnitude - distance.errorBound > cover.radius)
  }

  /// The assumed accuracy of a fix without one, in metres.
  private static let unknownAccuracy = 50.0

  /// Returns the distance from the cover, negative inside; at most 2 mm too small.
  private func distance(from place: Coordinate) -> Double {
    place.distance(to: cover.center, within: 0.001) - 0.001 - cover.radius
  }

  private static func cover(
    of center: Coordinate, radius: Double, using generator: inout some RandomNumberGenerator
  ) throws(PrivacyZoneError) -> Area.Circle {
    // Uniform in the circle. A metre remains for rounding.
    let distance = (radius - 1) * Double.random(in: 0...1, using: &generator).squareRoot()
    // Uniform directions without trigonometry: reject points outside the unit circle.
    var east = 0.0, north = 0.0
    repeat {
      east = Double.random(in: -1...1, using: &generator)
      north = Double.random(in: -1...1, using: &generator)
    } while !(0.01...1).contains(east * east + north * north)
    let scale = distance / (east * east + north * north).squareRoot()
    let point = LocalPlane.Point(east: east * scale, north: north * scale)
    guard let displaced = LocalPlane(around: center).coordinate(at: point),
      let cover = try? Area.Circle(center: displaced, radius: 2 * radius)
    else { throw PrivacyZoneError(description: "the zone has no valid radius") }
    return cover
  }

  private static func check(
    name: String, radius: Double, policy: Policy, device: DeviceID?
  ) throws(PrivacyZoneError) {
    guard !name.isEmpty, name.utf8.count <= maximumNameLength,
      !name.unicodeScalars.contains(where: { $0.value < 0x20 || $0.value == 0x7F })
    else { throw PrivacyZoneError(description: "a name is one line of 1 to \(maximumNameLength) bytes") }
    guard radii.contains(radius) else {
      throw PrivacyZoneError(description: "the radius of a zone is 50 m to 100 km")
    }
    if case .coarsen(let metres) = policy, !grids.contains(metres) {
      throw PrivacyZoneError(description: "the grid of a zone is 10 m to 1000 km")
    }
    guard device?.rawValue.isEmpty != true else {
      throw PrivacyZoneError(description: "a device has a name")
    }
  }
}

/// The error of a zone with a value out of range.
public struct PrivacyZoneError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The reason, without the place.
  public let description: String
}
