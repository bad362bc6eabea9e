extension TrackNode: Codable {
  private enum CodingKeys: String, CodingKey {
    case sample, step, filtered, hasVelocity, liveStride, isLate, surprisesInARow, excess, surprise,
      agility, manoeuvre
  }

  /// Reads the form that ``encode(to:)`` writes.
  init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    let filtered = try values.decode(MotionState.self, forKey: .filtered)
    let step = try values.decode(MotionState.Step.self, forKey: .step)
    self.init(
      sample: try values.decode(TrackSample.self, forKey: .sample),
      step: step, filtered: filtered, smoothed: filtered,
      hasVelocity: try values.decode(Bool.self, forKey: .hasVelocity),
      liveStride: try values.decode(Double.self, forKey: .liveStride),
      isLate: try values.decode(Bool.self, forKey: .isLate),
      surprisesInARow: try values.decode(Int.self, forKey: .surprisesInARow),
      excess: try values.decode(Double.self, forKey: .excess),
      // States of earlier versions have no surprise.
      surprise: try values.decodeIfPresent(Double.self, forKey: .surprise) ?? 1,
      agility: try values.decodeIfPresent(Double.self, forKey: .agility) ?? step.agility,
      manoeuvre: try values.decodeIfPresent(Double.self, forKey: .manoeuvre) ?? 0)
  }

  /// Encodes all properties except the smoothed state, which is computed again from the newest node backward.
  func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: CodingKeys.self)
    try values.encode(sample, forKey: .sample)
    try values.encode(step, forKey: .step)
    try values.encode(filtered, forKey: .filtered)
    try values.encode(hasVelocity, forKey: .hasVelocity)
    try values.encode(liveStride, forKey: .liveStride)
    try values.encode(isLate, forKey: .isLate)
    try values.encode(surprisesInARow, forKey: .surprisesInARow)
    try values.encode(excess, forKey: .excess)
    try values.encode(surprise, forKey: .surprise)
    if agility != step.agility { try values.encode(agility, forKey: .agility) }
    if manoeuvre > 0 { try values.encode(manoeuvre, forKey: .manoeuvre) }
  }
}
