import WhereaboutsModel

extension Fix {
  /// Removes a course and heights of exactly 0, which Traccar's server stores where a message states none. A false course
  /// makes a track longer.
  mutating func removeZerosOfTraccar() {
    if course == 0 { course = nil }
    if heightAboveGeoid == 0 { heightAboveGeoid = nil }
    if heightAboveEllipsoid == 0 { heightAboveEllipsoid = nil }
  }
}
