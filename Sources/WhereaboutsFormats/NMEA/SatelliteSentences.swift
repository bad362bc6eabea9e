import WhereaboutsModel

/// Dilutions and satellites used: `GSA,A,mode,satellite × 12,pdop,hdop,vdop[,system]`.
struct GSA {
  /// Whether there is a fix, and of which kind.
  enum Mode: Int {
    case none = 1
    case twoD = 2
    case threeD = 3
  }

  var mode: Mode?
  /// Reads the numbers of the satellites used.
  var satellites: FieldReader
  /// The number of used satellites.
  var satelliteCount = 0
  var positionDilution: Double?
  var horizontalDilution: Double?
  var verticalDilution: Double?
  /// The satellite system, in version 4.10 and later.
  var system: Int?

  /// The number of places for satellites: twelve in the standard.
  private(set) var slotCount = 12

  @inline(__always)
  init(_ fields: inout FieldReader) {
    fields.skip()
    mode = fields.modeDigit()
    satellites = fields
    for _ in 0..<12 where !fields.skipIsEmpty() { satelliteCount &+= 1 }
    positionDilution = fields.dilution()
    horizontalDilution = fields.dilution()
    verticalDilution = fields.dilution()
    guard !fields.isExhausted else { return }
    system = fields.systemNumber()
    if !fields.isExhausted { readLongList(&fields) }
  }

  /// Some receivers (Navis CH-4711) have 24 places.
  private mutating func readLongList(_ fields: inout FieldReader) {
    var long = satellites
    slotCount = 24
    satelliteCount = 0
    for _ in 0..<slotCount where !long.skipIsEmpty() { satelliteCount += 1 }
    positionDilution = long.dilution()
    horizontalDilution = long.dilution()
    verticalDilution = long.dilution()
    system = nil
  }
}

/// Satellites in view: `GSV,sentences,number,satellites[,satellite,elevation,azimuth,signal × 4][,signal kind]`.
struct GSV {
  /// The number of satellites in one sentence, at most.
  static let maxSatellitesPerSentence = 4

  /// The number of sentences in the list.
  var total: Int?
  /// The number of this sentence, from 1.
  var index: Int?
  /// The number of satellites in the whole list.
  var satelliteCount: Int?
  /// Reads what follows.
  var satellites: FieldReader

  @inline(__always)
  init(_ fields: inout FieldReader) {
    total = fields.integer()
    index = fields.integer()
    satelliteCount = fields.integer()
    satellites = fields
  }
}

extension FieldReader {
  /// GSA's mode; an Antaris writes `E` while it reckons, which says nothing about satellites.
  @inline(__always)
  fileprivate mutating func modeDigit() -> GSA.Mode? {
    guard let letter = letter() else { return nil }
    switch letter {
    case UInt8(ascii: "1"): return GSA.Mode.none
    case UInt8(ascii: "2"): return .twoD
    case UInt8(ascii: "3"): return .threeD
    case UInt8(ascii: "E"): return nil
    default:
      report(.malformed)
      return nil
    }
  }

  /// GSA's last field: a system number, or (SiRF TriG) some other number.
  @inline(__always)
  fileprivate mutating func systemNumber() -> Int? {
    guard let number = number() else { return nil }
    return Int(exactly: number)
  }
}
