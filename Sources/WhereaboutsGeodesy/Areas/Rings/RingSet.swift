/// The rings of polygons, checked and oriented with the area on their left.
struct RingSet {
  private(set) var lines: [[PreparedPlace]] = []
  private var roles: [RingCheck.Role] = []

  init() {}

  /// Adds the rings of a polygon: corners, the last joined to the first.
  mutating func append(_ exterior: [Coordinate], holes: [[Coordinate]], as polygon: Int) throws(AreaError) {
    try append(exterior, RingCheck.Role(polygon: polygon, isHole: false))
    for hole in holes { try append(hole, RingCheck.Role(polygon: polygon, isHole: true)) }
  }

  private mutating func append(_ ring: [Coordinate], _ role: RingCheck.Role) throws(AreaError) {
    var line = ring.map { PreparedPlace($0) }
    line.append(line[0])
    for (start, end) in zip(line, line.dropFirst()) where start.isNearlyOpposite(end) {
      throw .edgeTooLong(from: start.coordinate)
    }
    lines.append(line)
    roles.append(role)
  }

  /// Checks all rings together.
  ///
  /// - Returns: for each ring whether to reverse it, and whether some edges cancel each other.
  /// - Throws: An ``AreaError`` with the fault and its place.
  /// - Complexity: O(n log n) for n corners of rings that do not wind much.
  func check() throws(AreaError) -> (isTurned: [Bool], hasSeams: Bool) {
    let check = RingCheck(lines, roles: roles)
    try check.checkCrossings()
    let isLeft = try check.orientations()
    try check.checkNesting(isLeft)
    let isTurned = zip(isLeft, roles).map { $0 == $1.isHole }
    let oriented = zip(lines, isTurned).map { $1 ? $0.reversed() : $0 }
    let seamless = Seams.withoutSeams(from: oriented)
    if let seamless, seamless.isEmpty { throw .empty }
    return (isTurned, seamless != nil)
  }

  /// Returns a ring without repeated consecutive corners, and without a last corner that repeats the first.
  static func corners(of ring: [Coordinate]) throws(AreaError) -> [Coordinate] {
    var corners: [Coordinate] = []
    corners.reserveCapacity(ring.count)
    for corner in ring where !(corners.last.map(corner.isSamePlace(as:)) ?? false) { corners.append(corner) }
    while let first = corners.first, let last = corners.last, corners.count > 1, first.isSamePlace(as: last) {
      corners.removeLast()
    }
    guard corners.count >= 3 else { throw .tooFewCorners(corners.count) }
    return corners
  }
}

extension Coordinate {
  /// Returns whether another coordinate is the same place, under any longitude.
  func isSamePlace(as other: Coordinate) -> Bool {
    guard latitude == other.latitude else { return false }
    if longitude == other.longitude || latitude.magnitude == 90 { return true }
    return longitude.magnitude == 180 && other.longitude.magnitude == 180
  }
}

extension PreparedPlace {
  /// Returns whether another place is within 0.6° of the opposite one, where the shortest path may have any
  /// direction.
  func isNearlyOpposite(_ other: PreparedPlace) -> Bool {
    let sum = onSphere + other.onSphere
    return (sum * sum).sum() < 1e-4
  }
}
