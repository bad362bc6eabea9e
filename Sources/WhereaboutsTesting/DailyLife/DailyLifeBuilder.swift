import RealModule
import Whereabouts
import WhereaboutsGeodesy

/// Makes the days of a `DailyLife`, second by second where the person moves.
struct DailyLifeBuilder {
  struct Place {
    var point: LocalPlane.Point
    /// The extent of the person's movement in the place, in metres.
    var extent: Double
  }

  struct Visit {
    var place: LocalPlane.Point
    var arrival: Double
    var departure: Double
  }

  private(set) var knots: [DailyLife.Knot] = []
  private(set) var legs: [DailyLife.TrueLeg] = []
  private(set) var visits: [Visit] = []

  private let kind: DailyLife.Kind
  private var random: SeededGenerator
  private var now = 0.0
  private var here: LocalPlane.Point
  private let home: Place
  private let work: Place
  private let shops: [Place]
  private let friends: [Place]
  private let stations: (home: LocalPlane.Point, work: LocalPlane.Point)
  private var commute: DailyLife.Mode

  private static let day = 86_400.0

  init(kind: DailyLife.Kind, seed: UInt64) {
    self.kind = kind
    var random = SeededGenerator(seed: seed)
    func place(_ nearest: Double, _ farthest: Double, extent: Double, around: LocalPlane.Point) -> Place {
      let angle = Double.random(in: 0..<2 * .pi, using: &random)
      let distance = Double.random(in: nearest...farthest, using: &random)
      return Place(
        point: LocalPlane.Point(
          east: around.east + distance * .sin(angle), north: around.north + distance * .cos(angle)),
        extent: extent)
    }
    let origin = LocalPlane.Point(east: 0, north: 0)
    home = Place(point: origin, extent: 8)
    work = place(4000, 18_000, extent: 20, around: origin)
    var shops: [Place] = []
    while shops.count < 7 {
      let shop = place(350, 4500, extent: Double.random(in: 5...35, using: &random), around: origin)
      if shops.allSatisfy({ $0.point.distance(to: shop.point) > 300 }),
        shop.point.distance(to: work.point) > 400
      {
        shops.append(shop)
      }
    }
    self.shops = shops
    friends = (0..<4).map { _ in place(1500, 25_000, extent: 10, around: origin) }
    stations = (
      place(400, 1100, extent: 0, around: origin).point, place(300, 900, extent: 0, around: work.point).point
    )
    commute = .driving
    here = origin
    self.random = random
  }

  mutating func live(days: Int) {
    knots.append(DailyLife.Knot(time: 0, east: 0, north: 0, isInside: true))
    for day in 0..<days { live(day) }
    rest(at: home, until: Double(days) * Self.day)
  }

  private mutating func live(_ day: Int) {
    let midnight = Double(day) * Self.day
    if chance(0.02), day > 2 { return }
    if day % 7 < 5 {
      workday(midnight)
    } else {
      for _ in 0..<Int.random(in: 0...3, using: &random) {
        outing(from: midnight + Double.random(in: 9...18, using: &random) * 3600)
      }
    }
    if chance(0.4) { stroll(midnight + Double.random(in: 20...21.5, using: &random) * 3600) }
  }

  private mutating func workday(_ midnight: Double) {
    commute = kind == .car ? .driving : pick([.driving, .rail, .rail, .cycling])
    if work.point.distance(to: home.point) > 9000, commute == .cycling { commute = .driving }
    rest(at: home, until: midnight + Double.random(in: 6.5...8.5, using: &random) * 3600)
    if chance(0.15) { errand(at: pick(shops)) }
    go(to: work, by: commute)
    if chance(0.5) {
      rest(at: work, until: midnight + Double.random(in: 11.8...13, using: &random) * 3600)
      let lunch = Place(
        point: LocalPlane.Point(east: work.point.east + 420, north: work.point.north - 250), extent: 6)
      go(to: lunch, by: kind == .car ? .driving : .walking)
      stay(at: lunch, minutes: 15...50)
      go(to: work, by: kind == .car ? .driving : .walking)
    }
    rest(at: work, until: max(now + 600, midnight + Double.random(in: 15.5...18, using: &random) * 3600))
    let shops = Int.random(in: 0...2, using: &random)
    for _ in 0..<shops where commute == .driving || commute == .cycling {
      let shop = pick(self.shops)
      go(to: shop, by: commute)
      stay(at: shop, minutes: 6...40)
    }
    go(to: home, by: commute)
    if chance(0.3) {
      rest(at: home, until: now + Double.random(in: 0.3...1.5, using: &random) * 3600)
      errand(at: pick(self.shops))
      go(to: home, by: mode(to: home.point))
    }
  }

  private mutating func errand(at shop: Place) {
    go(to: shop, by: mode(to: shop.point))
    stay(at: shop, minutes: 6...45)
  }

  private mutating func outing(from start: Double) {
    guard start > now else { return }
    rest(at: home, until: start)
    for _ in 0..<Int.random(in: 1...3, using: &random) {
      let place = chance(0.6) ? pick(shops) : pick(friends)
      guard place.point.distance(to: here) > 100 else { continue }
      go(to: place, by: mode(to: place.point))
      stay(at: place, minutes: place.extent == 10 ? 40...200 : 6...60)
    }
    if home.point.distance(to: here) > 100 { go(to: home, by: mode(to: home.point)) }
  }

  /// A walk around the block, without a stop.
  private mutating func stroll(_ start: Double) {
    guard start > now, kind == .mixed, here.distance(to: home.point) < 50 else { return }
    rest(at: home, until: start)
    let side = Double.random(in: 350...900, using: &random)
    begin(.walking, isJourney: true)
    for corner in [(side, 0.0), (side, side), (0, side), (0, 0)] {
      walkWay(to: LocalPlane.Point(east: corner.0, north: corner.1), speed: walkingSpeed())
    }
    endLeg()
  }

  private mutating func mode(to place: LocalPlane.Point) -> DailyLife.Mode {
    let distance = here.distance(to: place)
    if kind == .car { return .driving }
    if distance < 1300 { return chance(0.85) ? .walking : .cycling }
    if distance < 5000 { return chance(0.5) ? .cycling : .driving }
    return .driving
  }

  // MARK: Stays

  private mutating func stay(at place: Place, minutes: ClosedRange<Double>) {
    rest(at: place, until: now + Double.random(in: minutes, using: &random) * 60)
  }

  private mutating func rest(at place: Place, until end: Double) {
    guard end > now else { return }
    if let last = visits.last, last.departure == now, last.place == place.point {
      visits[visits.count - 1].departure = end
    } else {
      visits.append(Visit(place: place.point, arrival: now, departure: end))
    }
    while now < end {
      // The person sits for some minutes, and then some metres further.
      let next = min(end, now + Double.random(in: 120...1500, using: &random))
      append(here, at: max(now, next - 20), inside: true)
      now = next
      let angle = Double.random(in: 0..<2 * .pi, using: &random)
      let off = place.extent * Double.random(in: 0...1, using: &random)
      here =
        next == end
        ? place.point
        : LocalPlane.Point(
          east: place.point.east + off * .sin(angle), north: place.point.north + off * .cos(angle))
      append(here, at: now, inside: true)
    }
  }

  // MARK: Ways

  private mutating func go(to place: Place, by mode: DailyLife.Mode) {
    guard here.distance(to: place.point) > 30 else { return }
    switch mode {
    case .walking:
      begin(.walking, isJourney: true)
      walkWay(to: place.point, speed: walkingSpeed())
      endLeg()
    case .cycling:
      begin(.cycling, isJourney: true)
      streetWay(to: place.point, speeds: 4.2...6.5, start: 1.2, corner: 0.6, light: 0.12, wait: 5...40)
      endLeg()
    case .driving: drive(to: place.point)
    case .rail: ride(to: place.point)
    }
    here = place.point
    append(here, at: now, inside: true)
  }

  private mutating func drive(to place: LocalPlane.Point) {
    begin(.driving, isJourney: true)
    if chance(0.3), kind == .mixed { now += 45 }
    append(here, at: now, inside: false)
    let distance = here.distance(to: place)
    if distance > 9000, chance(0.7) {
      // By a motorway in the middle.
      let on = between(here, place, 0.2), off = between(here, place, 0.8)
      streetWay(to: on, speeds: 9...15, start: 1.8, corner: 0.45, light: 0.3, wait: 8...80)
      straightWay(to: off, speed: Double.random(in: 24...35, using: &random), start: 1.4, bend: 250)
      streetWay(to: place, speeds: 9...15, start: 1.8, corner: 0.45, light: 0.3, wait: 8...80)
    } else {
      streetWay(to: place, speeds: 8...15, start: 1.8, corner: 0.45, light: 0.3, wait: 8...90)
    }
    endLeg()
  }

  private mutating func ride(to place: LocalPlane.Point) {
    let isOut = here.distance(to: stations.home) < here.distance(to: stations.work)
    let (from, to) = isOut ? (stations.home, stations.work) : (stations.work, stations.home)
    guard from.distance(to: to) > 2500, here.distance(to: from) < 2500 else { return drive(to: place) }
    begin(.walking, isJourney: true)
    walkWay(to: from, speed: walkingSpeed())
    endLeg()
    begin(.rail, isJourney: false)
    now += Double.random(in: 60...280, using: &random)
    append(here, at: now, inside: false)
    let stops = max(1, Int(from.distance(to: to) / Double.random(in: 2500...5000, using: &random)))
    for stop in 1...stops {
      let next = between(from, to, Double(stop) / Double(stops))
      straightWay(
        to: next, speed: Double.random(in: 18...36, using: &random), start: 0.7,
        bend: Double.random(in: 20...120, using: &random))
      if stop < stops {
        now += Double.random(in: 25...60, using: &random)
        append(here, at: now, inside: false)
      }
    }
    endLeg()
    begin(.walking, isJourney: false)
    walkWay(to: place, speed: walkingSpeed())
    endLeg()
  }

  private mutating func walkingSpeed() -> Double { Double.random(in: 1.1...1.55, using: &random) }

  private mutating func walkWay(to place: LocalPlane.Point, speed: Double) {
    streetWay(
      to: place, speeds: (speed * 0.95)...(speed * 1.05), start: 3, corner: 0.9, light: 0.1, wait: 5...50)
  }

  /// Along streets: in turns east and north, with crossings where one may have to wait.
  private mutating func streetWay(
    to place: LocalPlane.Point, speeds: ClosedRange<Double>, start acceleration: Double, corner: Double,
    light: Double, wait: ClosedRange<Double>
  ) {
    let east = place.east - here.east, north = place.north - here.north
    let block = corner < 0.5 ? 500...1200.0 : 150...500
    let blocks = max(1, Int((east.magnitude + north.magnitude) / Double.random(in: block, using: &random)))
    let origin = here
    var corners: [LocalPlane.Point] = []
    for block in 1...blocks {
      let share = Double(block) / Double(blocks)
      corners.append(
        LocalPlane.Point(east: origin.east + share * east, north: corners.last?.north ?? origin.north))
      corners.append(
        LocalPlane.Point(east: origin.east + share * east, north: origin.north + share * north))
    }
    for end in corners where end.distance(to: here) > 1 {
      let speed = Double.random(in: speeds, using: &random)
      line(to: end, speed: speed, start: acceleration, from: corner * speed)
      if chance(light), end.distance(to: place) > 40 {
        now += Double.random(in: wait, using: &random)
        append(here, at: now, inside: false)
      }
    }
  }

  /// Travels to a place along a slightly curved way, without stops.
  private mutating func straightWay(
    to place: LocalPlane.Point, speed: Double, start acceleration: Double, bend: Double
  ) {
    let origin = here, length = here.distance(to: place)
    guard length > 1 else { return }
    let across = LocalPlane.Point(
      east: -(place.north - origin.north) / length, north: (place.east - origin.east) / length)
    let pieces = max(4, Int(length / 300))
    let time = now
    // One run over all pieces: the times follow the speed along the whole way.
    for piece in 1...pieces {
      let share = Double(piece) / Double(pieces)
      let bow = bend * Double.sin(share * .pi)
      here = LocalPlane.Point(
        east: origin.east + share * (place.east - origin.east) + bow * across.east,
        north: origin.north + share * (place.north - origin.north) + bow * across.north)
      now = time + Self.time(along: share * length, of: length, speed, acceleration)
      append(here, at: now, inside: false)
    }
    addDistance(length)
  }

  private mutating func line(
    to place: LocalPlane.Point, speed: Double, start acceleration: Double, from slow: Double
  ) {
    let origin = here, length = here.distance(to: place), time = now
    let pieces = max(2, min(12, Int(length / 40)))
    for piece in 1...pieces {
      let share = Double(piece) / Double(pieces)
      here = LocalPlane.Point(
        east: origin.east + share * (place.east - origin.east),
        north: origin.north + share * (place.north - origin.north))
      now = time + Self.time(along: share * length, of: length, speed, acceleration, slow)
      append(here, at: now, inside: false)
    }
    addDistance(length)
  }

  /// Returns the time to a place on a way that begins and ends slowly.
  private static func time(
    along place: Double, of length: Double, _ speed: Double, _ acceleration: Double, _ slow: Double = 0
  ) -> Double {
    let rise = min(length / 2, (speed * speed - slow * slow) / (2 * acceleration))
    let top = (slow * slow + 2 * acceleration * rise).squareRoot()
    func rising(_ way: Double) -> Double {
      ((slow * slow + 2 * acceleration * way).squareRoot() - slow) / acceleration
    }
    let whole = 2 * rising(rise) + (length - 2 * rise) / top
    if place <= rise { return rising(place) }
    if place >= length - rise { return whole - rising(max(0, length - place)) }
    return rising(rise) + (place - rise) / top
  }

  // MARK: Records

  private mutating func begin(_ mode: DailyLife.Mode, isJourney: Bool) {
    legs.append(
      DailyLife.TrueLeg(mode: mode, start: now, end: now, distance: 0, beginsJourney: isJourney))
  }

  private mutating func addDistance(_ metres: Double) {
    if !legs.isEmpty { legs[legs.count - 1].distance += metres }
  }

  private mutating func endLeg() {
    if !legs.isEmpty { legs[legs.count - 1].end = now }
  }

  private mutating func append(_ point: LocalPlane.Point, at time: Double, inside: Bool) {
    if let last = knots.last, time <= last.time {
      if time == last.time, last.east == point.east, last.north == point.north {
        knots[knots.count - 1].isInside = inside
      }
      return
    }
    knots.append(DailyLife.Knot(time: time, east: point.east, north: point.north, isInside: inside))
  }

  private func between(_ a: LocalPlane.Point, _ b: LocalPlane.Point, _ share: Double) -> LocalPlane.Point {
    LocalPlane.Point(east: a.east + share * (b.east - a.east), north: a.north + share * (b.north - a.north))
  }

  private mutating func chance(_ probability: Double) -> Bool {
    Double.random(in: 0..<1, using: &random) < probability
  }

  private mutating func pick<Element>(_ elements: [Element]) -> Element {
    elements[Int.random(in: 0..<elements.count, using: &random)]
  }
}
