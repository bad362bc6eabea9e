import WhereaboutsModel

extension Heading {
  /// `HDT,degrees,T`: true.
  init?(hdt fields: inout FieldReader) {
    let degrees = fields.headingDegrees()
    guard fields.expect(UInt8(ascii: "T")), let degrees else { return nil }
    self.init(degrees: degrees, reference: .trueNorth)
  }

  /// `HDM,degrees,M`: magnetic.
  init?(hdm fields: inout FieldReader) {
    let degrees = fields.headingDegrees()
    guard fields.expect(UInt8(ascii: "M")), let degrees else { return nil }
    self.init(degrees: degrees, reference: .magneticNorth)
  }

  /// `THS,degrees,mode`: true, unless the mode letter marks the heading as invalid.
  init?(ths fields: inout FieldReader) {
    let degrees = fields.headingDegrees()
    let mode = fields.letter()
    guard let degrees, let mode, mode != UInt8(ascii: "V") else { return nil }
    self.init(degrees: degrees, reference: .trueNorth)
  }

  /// `HDG,degrees,deviation,E,variation,E`: as near to true as the sentence allows.
  ///
  /// Easterly deviation and variation are added, westerly ones subtracted. By the standard, an absent value is unknown:
  /// without the deviation the heading stays a compass one, without the variation a magnetic one.
  init?(hdg fields: inout FieldReader) {
    let compass = fields.headingDegrees()
    let deviation = fields.eastward()
    let variation = fields.eastward()
    guard let compass else { return nil }
    guard let deviation else {
      self.init(degrees: compass, reference: .compassNorth)
      return
    }
    guard let variation else {
      self.init(degrees: compass + deviation, reference: .magneticNorth)
      return
    }
    self.init(degrees: compass + deviation + variation, reference: .trueNorth)
  }
}

extension FieldReader {
  /// Degrees in [0, 360].
  fileprivate mutating func headingDegrees() -> Double? {
    guard let degrees = number() else { return nil }
    guard (0...360).contains(degrees) else {
      report(.badNumber)
      return nil
    }
    return degrees
  }

  /// Degrees and a letter: east positive.
  fileprivate mutating func eastward() -> Double? {
    let degrees = number()
    let letter = letter()
    guard let degrees, let letter else { return nil }
    switch letter {
    case UInt8(ascii: "E"): return degrees
    case UInt8(ascii: "W"): return 0 - degrees
    default:
      report(.malformed)
      return nil
    }
  }

  /// Returns whether the next field is that letter; anything else is reported.
  fileprivate mutating func expect(_ letter: UInt8) -> Bool {
    if self.letter() == letter { return true }
    report(.malformed)
    return false
  }

  /// `ROT,degrees a minute,status`: to starboard positive; `nil` where the status is not `A`.
  mutating func rateOfTurn() -> Double? {
    let rate = number()
    return validity() ? rate : nil
  }
}
