import WhereaboutsGeodesy

/// A window of the latest fixes that lie together: the candidate for a stay.
///
/// The window stores sums over slices of time, so that the oldest can be dropped. A window around a moving device
/// drops its beginning and moves along, never long enough in one place to be a stay. When the device stops, the
/// slices of the approach are dropped too, and the window begins with the arrival.
struct StayWindow: Sendable {
  /// The number of slices in the minimum stay, and the number kept: half as many again, so that the approach can be
  /// distinguished from the stay.
  private static let slicesPerStay = 8, capacity = 12

  private let radius: Double
  private let minimumStay: Int64
  private let sliceSpan: Int64

  private(set) var plane: LocalPlane?
  /// The slices, the oldest first.
  private var slices: [StayCluster] = []
  /// The sum of all slices; `nil` without fixes.
  private(set) var total: StayCluster?

  init(radius: Double, minimumStay: Int64) {
    self.radius = radius
    self.minimumStay = minimumStay
    sliceSpan = max(1, minimumStay / Int64(Self.slicesPerStay))
    slices.reserveCapacity(Self.capacity)
  }

  /// Returns the side on which a fix lies, and its distance; `nil` without fixes.
  func side(of sample: StaySample) -> (side: StaySide, distance: Double)? {
    guard let plane, let total else { return nil }
    let distance = plane.point(of: sample.coordinate).distance(to: total.center)
    return (StaySide(distance: distance, accuracy: sample.accuracy, radius: radius), distance)
  }

  mutating func removeAll() {
    plane = nil
    total = nil
    slices.removeAll(keepingCapacity: true)
  }

  /// Clears the window and begins with a fix, unless the fix is coarser than a stay is wide.
  mutating func begin(with sample: StaySample) {
    removeAll()
    guard sample.accuracy <= 2 * radius else { return }
    plane = LocalPlane(around: sample.coordinate)
    add(sample)
  }

  /// Adds a fix that lies inside, and drops the oldest fixes that then no longer do.
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
    updateTotal()
    while slices.count > 1, let total, slices[0].center.distance(to: total.center) > radius {
      slices.removeFirst()
      updateTotal()
    }
    // A window that moved along has left its plane's origin behind.
    if let total, total.center.distance(to: LocalPlane.Point(east: 0, north: 0)) > 100 * radius {
      begin(with: sample)
    }
  }

  private mutating func updateTotal() {
    guard var sum = slices.first else { return }
    for slice in slices.dropFirst() { sum.add(slice) }
    total = sum
  }

  /// Returns whether the latest fixes are a stay, long enough and without drift; if so, drops all fixes before.
  ///
  /// A device that strolls at 0.3 m/s is within 100 m of one place for eleven minutes, and then of the next. So the
  /// drift counts too. The approach of a device that stopped is a drift as well. The window leaves it out, a slice at
  /// a time, as long as the rest lasts long enough.
  mutating func trimToStay() -> Bool {
    guard let total, total.span >= minimumStay else { return false }
    let limit = radius / 4 + total.accuracy
    for beginning in slices.indices {
      let rest = slices[beginning...]
      guard let first = rest.first?.first, total.last.nanoseconds(since: first) >= minimumStay else { break }
      guard Self.speed(of: rest) * Double(minimumStay) / 1e9 <= limit else { continue }
      slices.removeFirst(beginning)
      updateTotal()
      return true
    }
    return false
  }

  /// Returns the drift of slices, in metres per second: the slope of a line fitted through their middles by least
  /// squares.
  private static func speed(of slices: ArraySlice<StayCluster>) -> Double {
    guard var all = slices.first else { return 0 }
    for slice in slices.dropFirst() { all.add(slice) }
    let middle = all.center
    var squares = 0.0, east = 0.0, north = 0.0
    for slice in slices {
      let seconds = slice.seconds(since: all)
      let place = slice.center
      squares += slice.weight * seconds * seconds
      east += slice.weight * seconds * (place.east - middle.east)
      north += slice.weight * seconds * (place.north - middle.north)
    }
    return squares > 0 ? (east * east + north * north).squareRoot() / squares : 0
  }
}
