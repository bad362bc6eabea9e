// A stored track holds dozens of states: as rows of numbers they need a third of the space.

extension MotionState: Codable {
  /// Reads the row that ``encode(to:)`` writes.
  init(from decoder: any Decoder) throws {
    var row = try decoder.unkeyedContainer()
    func number() throws -> Double { try row.decode(Double.self) }
    func vector() throws -> SIMD3<Double> { SIMD3(try number(), try number(), try number()) }
    place = try vector()
    velocity = try vector()
    offset = try vector()
    covariance = Covariance(
      pp: try number(), pv: try number(), po: try number(), vv: try number(), vo: try number(),
      oo: try number())
  }

  /// Writes place, velocity and offset, three axes each, and the covariance row by row.
  func encode(to encoder: any Encoder) throws {
    var row = encoder.unkeyedContainer()
    for vector in [place, velocity, offset] { for axis in 0..<3 { try row.encode(vector[axis]) } }
    let c = covariance
    for number in [c.pp, c.pv, c.po, c.vv, c.vo, c.oo] { try row.encode(number) }
  }
}

extension MotionState.Step: Codable {
  /// Reads the row that ``encode(to:)`` writes.
  init(from decoder: any Decoder) throws {
    var row = try decoder.unkeyedContainer()
    duration = try row.decode(Double.self)
    agility = try row.decode(Double.self)
    memory = try row.decode(Double.self)
    offsetVariance = try row.decode(Double.self)
  }

  /// Writes the members in their order.
  func encode(to encoder: any Encoder) throws {
    var row = encoder.unkeyedContainer()
    for number in [duration, agility, memory, offsetVariance] { try row.encode(number) }
  }
}
