import Testing
import Whereabouts
import WhereaboutsGeodesy
import WhereaboutsModel
import WhereaboutsTesting

@testable import WhereaboutsServer

/// Random zones, fixes and readers. No answer to a reader who is not the owner holds a place in a zone that hides, nor a
/// place closer than a cap.
@Suite struct DisclosurePropertyTests {
  private static let devices: [DeviceID] = ["phone", "car"]

  /// Everything of one case.
  private struct Scene {
    var random: SeededGenerator
    var zones: [PrivacyZone] = []
    var reader = DisclosureFixture.reader([.read])
    let device: DeviceID

    init(seed: UInt64) throws {
      random = SeededGenerator(seed: seed)
      device = DisclosurePropertyTests.devices.randomElement(using: &random) ?? "phone"
      let middle = try randomPlace()
      for _ in 0..<Int.random(in: 0...4, using: &random) { zones.append(try zone(near: middle)) }
      let scopes = AccessToken.Scope.allCases.filter { _ in Bool.random(using: &random) }
      let cap = Bool.random(using: &random) ? exponential(10...1_000_000) : nil
      reader = DisclosureFixture.reader(
        Set(scopes.isEmpty ? [.read] : scopes), of: oneOrEveryDevice(), cap: cap)
    }

    mutating func randomPlace() throws -> Coordinate {
      // The poles and the meridian of 180° more often than by chance.
      let latitude = random.next() % 4 == 0 ? 89.99 : Double.random(in: -90...90, using: &random)
      let longitude = random.next() % 4 == 0 ? 180 : Double.random(in: -180...180, using: &random)
      return try #require(Coordinate(latitude: latitude, longitude: longitude))
    }

    mutating func exponential(_ range: ClosedRange<Double>) -> Double {
      var value = range.lowerBound
      while value < range.upperBound, random.next() % 5 != 0 { value *= 3 }
      return min(value, range.upperBound)
    }

    mutating func oneOrEveryDevice() -> DeviceID? {
      Bool.random(using: &random) ? nil : DisclosurePropertyTests.devices.randomElement(using: &random)
    }

    mutating func place(near other: Coordinate, within metres: Double) throws -> Coordinate {
      let point = LocalPlane.Point(
        east: Double.random(in: -metres...metres, using: &random),
        north: Double.random(in: -metres...metres, using: &random))
      return try #require(LocalPlane(around: other).coordinate(at: point))
    }

    mutating func zone(near middle: Coordinate) throws -> PrivacyZone {
      let radius = exponential(50...100_000)
      let policy: PrivacyZone.Policy =
        Bool.random(using: &random) ? .hide : .coarsen(exponential(10...1_000_000))
      return try PrivacyZone(
        name: "zone", center: place(near: middle, within: 3 * radius), radius: radius, policy: policy,
        device: oneOrEveryDevice(), using: &random)
    }

    /// A fix that is often at the border of a zone.
    mutating func fix() throws -> Fix {
      let zone = zones.randomElement(using: &random)
      let point = try zone.map { try place(near: $0.center, within: 4 * $0.radius) } ?? randomPlace()
      let accuracies: [Double?] = [nil, 0, 3, 20, 500, .infinity, .nan]
      return DisclosureFixture.fix(at: point, accuracy: accuracies.randomElement(using: &random) ?? nil)
    }

    /// The zones that the reader is subject to.
    var binding: [PrivacyZone] { zones.filter { $0.device == nil || $0.device == device } }

    var isReadable: Bool {
      (reader.device == nil || reader.device == device)
        && !reader.terms.scopes.isDisjoint(with: [.read, .admin])
    }

    var isOwner: Bool {
      reader.terms.accuracyCap == nil
        && (reader.terms.scopes.contains(.admin)
          || (reader.device == device && reader.terms.scopes.contains(.write)))
    }
  }

  static let seeds = PropertyCases.seeds(300, of: UInt64(1)...20_000)

  @Test(arguments: seeds) func noAnswerHoldsAPlaceInAZone(seed: UInt64) throws {
    var scene = try Scene(seed: seed)
    let disclosure = Disclosure(reader: scene.reader, zones: scene.zones)
    for _ in 0..<40 {
      let fix = try scene.fix(), shown = disclosure.fix(fix, of: scene.device)
      guard scene.isReadable else {
        #expect(shown == nil, "seed \(seed)")
        continue
      }
      guard !scene.isOwner else {
        #expect(shown?.coordinate == fix.coordinate, "seed \(seed)")
        continue
      }
      let holding = scene.binding.filter { $0.center.distance(to: fix.coordinate) <= $0.radius }
      if holding.contains(where: { $0.policy == .hide }) { #expect(shown == nil, "seed \(seed)") }
      guard let shown else { continue }
      expectCoarse(shown, of: fix, in: scene, holding, seed)
      let accuracy = fix.horizontalAccuracy
      let event = DisclosureFixture.event(.enter, at: fix.coordinate, decidedAt: fix.coordinate)
      let place = disclosure.place(fix.coordinate, accuracy: accuracy, of: scene.device)
      #expect(place?.coordinate == shown.coordinate, "seed \(seed)")
      if let disclosed = disclosure.event(event, at: nil, of: scene.device)?.place {
        expectOutside(disclosed.coordinate, scene, seed)
      }
    }
  }

  private func expectOutside(_ place: Coordinate, _ scene: Scene, _ seed: UInt64) {
    for zone in scene.binding where zone.policy == .hide {
      #expect(zone.center.distance(to: place) > zone.radius, "seed \(seed)")
      #expect(zone.cover.center.distance(to: place) > zone.cover.radius, "seed \(seed)")
    }
  }

  private func expectCoarse(
    _ shown: Fix, of fix: Fix, in scene: Scene, _ holding: [PrivacyZone], _ seed: UInt64
  ) {
    expectOutside(shown.coordinate, scene, seed)
    var limits = [scene.reader.terms.accuracyCap].compactMap(\.self)
    for zone in holding { if case .coarsen(let metres) = zone.policy { limits.append(metres) } }
    guard let limit = limits.max() else { return }
    #expect(shown.isBare, "seed \(seed)")
    #expect((shown.horizontalAccuracy ?? 0) >= limit, "seed \(seed)")
    #expect(shown.time == fix.time, "seed \(seed)")
  }

  /// Fixes within a quarter of the cap give at most four places: those of the cells that meet at a corner. Their places
  /// are as far apart as cells are.
  @Test(arguments: seeds) func neighboursShareTheirPlaces(seed: UInt64) throws {
    var scene = try Scene(seed: seed)
    let cap = scene.exponential(10...1_000_000)
    let disclosure = Disclosure(reader: DisclosureFixture.reader([.read], cap: cap), zones: scene.zones)
    let middle = try scene.randomPlace()
    // Nearer to a pole more cells meet.
    guard middle.latitude.magnitude < 60, cap < 300_000 else { return }
    var places: Set<Coordinate> = []
    for _ in 0..<60 {
      let near = try scene.place(near: middle, within: cap / 4 / 2.0.squareRoot())
      let fix = DisclosureFixture.fix(at: near)
      if let shown = disclosure.fix(fix, of: scene.device),
        shown.horizontalAccuracy.map({ $0 < 2 * cap }) == true
      {
        places.insert(shown.coordinate)
      }
    }
    #expect(places.count <= 4, "seed \(seed): \(places.count) places")
  }
}
