/// The rings of polygons, checked and turned so that the area is on their left.
struct RingSet {
  private(set) var lines: [[PreparedPlace]] = []
  private var roles: [RingCheck.Role] = []

  init() {}

  /// Adds the rings of a polygon: corners, of which the last is joined to the first.
  mutating func append(_ exterior: [Coordinate], holes: [[Coordinate]], as polygon: Int) throws(AreaProblem) {
    try append(exterior, RingCheck.Role(polygon: polygon, isHole: false))
    for hole in holes { try append(hole, RingCheck.Role(polygon: polygon, isHole: true)) }
  }

  private mutating func append(_ ring: [Coordinate], _ role: RingCheck.Role) throws(AreaProblem) {
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
  /// - Returns: for each ring whether it is to be turned, and whether edges of them cancel.
  /// - Throws: what is wrong with them, and where.
  /// - Complexity: O(n log n) for n corners of rings that do not wind much.
  func check() throws(AreaProblem) -> (isTurned: [Bool], hasSeams: Bool) {
    let check = RingCheck(lines, roles: roles)
    try check.checkCrossings()
    let isLeft = try check.orientations()
    try check.checkNesting(isLeft)
    let isTurned = zip(isLeft, roles).map { $0 == $1.isHole }
    let oriented = zip(lines, isTurned).map { $1 ? $0.reversed() : $0 }
    let seamless = Seams.removed(from: oriented)
    if let seamless, seamless.isEmpty { throw .empty }
    return (isTurned, seamless != nil)
  }

  /// A ring without corners that repeat the one before, or the first.
  static func corners(of ring: [Coordinate]) throws(AreaProblem) -> [Coordinate] {
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
  /// Whether another is the same place, by whatever longitude.
  func isSamePlace(as other: Coordinate) -> Bool {
    guard latitude == other.latitude else { return false }
    if longitude == other.longitude || latitude.magnitude == 90 { return true }
    return longitude.magnitude == 180 && other.longitude.magnitude == 180
  }
}

extension PreparedPlace {
  /// Whether another place is so near to the opposite one, 0.6°, that the shortest way there may be any way.
  func isNearlyOpposite(_ other: PreparedPlace) -> Bool {
    let sum = onSphere + other.onSphere
    return (sum * sum).sum() < 1e-4
  }
}
