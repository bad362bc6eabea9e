import WhereaboutsGeodesy

extension Coordinate {
  /// A place anywhere, each latitude and longitude as likely as another, so that the poles are visited often.
  static func random(using random: inout some RandomNumberGenerator) -> Coordinate {
    // The ranges are those a coordinate may have.
    Coordinate(
      latitude: .random(in: -90...90, using: &random), longitude: .random(in: -180...180, using: &random))!
  }
}
