import WhereaboutsGeodesy

/// The latest fixes that lie together: what may become a stay.
///
/// They are kept as sums over slices of time, so that the oldest can be forgotten. A window that grows around a device
/// on its way sheds its beginning and so moves along, never long enough in one place to be a stay; when the device
/// stops, what is left of the way there is shed too, and the window begins with the arrival.
struct StayWindow: Sendable {
  /// How many slices make the minimum stay, and how many are kept: half as many again, so that the way to a stay can be
  /// told from it.
  private static let slicesPerStay = 8, capacity = 12

  private let radius: Double
  private let minimumStay: Int64
  private let sliceSpan: Int64

  private(set) var plane: LocalPlane?
  /// The oldest first.
  private var slices: [StayCluster] = []
  /// All slices together; `nil` without fixes.
  private(set) var total: StayCluster?

  init(radius: Double, minimumStay: Int64) {
    self.radius = radius
    self.minimumStay = minimumStay
    sliceSpan = max(1, minimumStay / Int64(Self.slicesPerStay))
    slices.reserveCapacity(Self.capacity)
  }

  /// Where a fix is, seen from here; `nil` without fixes.
  func side(of sample: StaySample) -> (side: StaySide, distance: Double)? {
    guard let plane, let total else { return nil }
    let distance = plane.point(of: sample.coordinate).distance(to: total.middle)
    return (StaySide(distance: distance, accuracy: sample.accuracy, radius: radius), distance)
  }

  mutating func removeAll() {
    plane = nil
    total = nil
    slices.removeAll(keepingCapacity: true)
  }

  /// Forgets all and begins with a fix, unless that is coarser than a stay is wide.
  mutating func begin(with sample: StaySample) {
    removeAll()
    guard sample.accuracy <= 2 * radius else { return }
    plane = LocalPlane(around: sample.coordinate)
    add(sample)
  }

  /// Adds a fix that lies inside, and forgets the oldest that then no longer do.
  mutating func add(_ sample: StaySample) {
    guard let plane else { return begin(with: sample) }
    let point = plane.point(of: sample.coordinate)
    if let newest = slices.last, sample.time.nanoseconds(since: newest.first) < sliceSpan {
      slices[slices.count - 1].add(point, accuracy: sample.accuracy, time: sample.time, radius: radius)
    } else {
      if slices.count == Self.capacity { slices.removeFirst() }
      var slice = StayCluster(from: sample.time)
      slice.add(point, accuracy: sample.accuracy, time: sample.time, radius: radius)
      slices.append(slice)
    }
    sumUp()
    while slices.count > 1, let total, slices[0].middle.distance(to: total.middle) > radius {
      slices.removeFirst()
      sumUp()
    }
    // A window that moved along has left its plane's origin behind.
    if let total, total.middle.distance(to: LocalPlane.Point(east: 0, north: 0)) > 100 * radius {
      begin(with: sample)
    }
  }

  private mutating func sumUp() {
    guard var sum = slices.first else { return }
    for slice in slices.dropFirst() { sum.add(slice) }
    total = sum
  }

  /// Whether the latest fixes are a stay, long enough and going nowhere; if so, all before are forgotten.
  ///
  /// Someone who strolls at 0.3 m/s is within 100 m of one place for eleven minutes, and then of the next. So the drift
  /// is asked too. Of a device that walked in and stopped, the way there is a drift as well: it is left out, a slice at a
  /// time, as long as what remains lasts long enough.
  mutating func settle() -> Bool {
    guard let total, total.span >= minimumStay else { return false }
    let limit = radius / 4 + total.accuracy
    for beginning in slices.indices {
      let rest = slices[beginning...]
      guard let first = rest.first?.first, total.last.nanoseconds(since: first) >= minimumStay else { break }
      guard Self.speed(of: rest) * Double(minimumStay) / 1e9 <= limit else { continue }
      slices.removeFirst(beginning)
      sumUp()
      return true
    }
    return false
  }

  /// How fast slices drift, in metres per second: the slope of a line fitted through their middles by least squares.
  private static func speed(of slices: ArraySlice<StayCluster>) -> Double {
    guard var all = slices.first else { return 0 }
    for slice in slices.dropFirst() { all.add(slice) }
    let middle = all.middle
    var squares = 0.0, east = 0.0, north = 0.0
    for slice in slices {
      let seconds = slice.seconds(since: all)
      let place = slice.middle
      squares += slice.weight * seconds * seconds
      east += slice.weight * seconds * (place.east - middle.east)
      north += slice.weight * seconds * (place.north - middle.north)
    }
    return squares > 0 ? (east * east + north * north).squareRoot() / squares : 0
  }
}
