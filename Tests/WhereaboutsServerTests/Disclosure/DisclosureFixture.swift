import Testing
import Whereabouts
import WhereaboutsGeodesy
import WhereaboutsModel
import WhereaboutsTesting

@testable import WhereaboutsServer

/// Readers, zones and fixes around one home, of the device `phone`.
enum DisclosureFixture {
  static let home = place(51, 0)

  static func place(_ latitude: Double, _ longitude: Double) -> Coordinate {
    guard let place = Coordinate(latitude: latitude, longitude: longitude) else {
      preconditionFailure("\(latitude), \(longitude) is no place")
    }
    return place
  }

  /// The place a number of metres east of home.
  static func east(_ metres: Double) -> Coordinate {
    guard let place = LocalPlane(around: home).coordinate(at: LocalPlane.Point(east: metres, north: 0)) else {
      preconditionFailure("\(metres) m is no distance")
    }
    return place
  }

  static func zone(
    _ policy: PrivacyZone.Policy = .hide, at center: Coordinate = home, radius: Double = 200,
    device: DeviceID? = nil
  ) throws -> PrivacyZone {
    var random = SeededGenerator(seed: 21)
    return try PrivacyZone(
      name: "home", center: center, radius: radius, policy: policy, device: device, using: &random)
  }

  static func reader(
    _ scopes: Set<AccessToken.Scope>, of device: DeviceID? = nil, cap: Double? = nil
  ) -> AccessToken {
    AccessToken(
      id: 1, terms: TokenTerms(device: device, scopes: scopes, accuracyCap: cap), created: t(0),
      credential: .secret(hint: ""))
  }

  /// A fix with everything.
  static func fix(at place: Coordinate, accuracy: Double? = 5) -> Fix {
    var fix = Fix.test(
      latitude: place.latitude, longitude: place.longitude, accuracy: accuracy, time: t(1), speed: 8,
      course: 93)
    fix.speedAccuracy = 1
    fix.courseAccuracy = 2
    fix.verticalAccuracy = 4
    fix.heightAboveGeoid = 30
    fix.heightAboveEllipsoid = 75
    fix.climb = 0.5
    fix.mode = .threeD
    fix.satellitesUsed = 9
    fix.horizontalDilution = 0.9
    return fix
  }

  static func event(
    _ kind: FenceEvent.Kind, at place: Coordinate, decidedAt: Coordinate? = nil
  ) -> FenceEvent {
    FenceEvent(
      id: FenceEvent.ID(3), fence: "fence", kind: kind, manner: .crossed, time: t(0), timeUncertainty: 1,
      lastBefore: nil, firstAfter: t(1), place: place, confidence: 0.99,
      decidedBy: fix(at: decidedAt ?? place),
      decided: t(1), pending: .seconds(2))
  }

  static func fence(at center: Coordinate = home, radius: Double) throws -> Fence {
    Fence(
      id: "fence", area: .circle(try Area.Circle(center: center, radius: radius)), name: "The fence",
      properties: ["note": .string("a place")])
  }
}

extension Fix {
  /// Whether a fix has only a place, its accuracy, a time and a source.
  var isBare: Bool {
    var bare = Fix(coordinate: coordinate, time: time, source: source, isSimulated: isSimulated)
    bare.horizontalAccuracy = horizontalAccuracy
    bare.isAccuracyEstimated = true
    return self == bare
  }
}
