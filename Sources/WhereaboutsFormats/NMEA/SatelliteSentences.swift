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
  /// The number of used satellites.
  var satelliteCount = 0
  var dilutions = Dilutions()
  /// The satellite system, in version 4.10 and later.
  var system: Int?

  /// The number of places for satellites: twelve in the standard.
  private(set) var slotCount = 12

  /// The three dilutions of precision.
  struct Dilutions {
    var position: Double?
    var horizontal: Double?
    var vertical: Double?
  }

  /// Creates a sentence without values.
  init() {}

  /// The number of fields before the numbers of the satellites.
  static let fieldsBeforeSatellites = 2

  @inline(__always)
  init(_ fields: inout FieldReader, latest: inout LatestText<SIMD2<UInt32>, Dilutions>) {
    fields.skip()
    mode = fields.modeDigit()
    let satellites = fields
    satelliteCount = fields.countFilled(of: 12)
    dilutions = fields.repeated(&latest) { $0.dilutions() }
    guard !fields.isExhausted else { return }
    system = fields.systemNumber()
    if fields.isExhausted { return }
    self = GSA(longList: satellites, mode: mode)
    // The values depend on more fields than were read: their text is the whole sentence.
    while !fields.isExhausted { fields.skip() }
  }

  /// Reads a list with 24 places, which some receivers (Navis CH-4711) send.
  @inline(never)
  private init(longList satellites: FieldReader, mode: Mode?) {
    self.mode = mode
    slotCount = 24
    var fields = satellites
    for _ in 0..<slotCount where !fields.skipIsEmpty() { satelliteCount += 1 }
    dilutions = fields.dilutions()
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
  /// The reader of the satellites' fields.
  var satellites: FieldReader

  @inline(__always)
  init(_ fields: inout FieldReader) {
    if let usual = fields.usualListStart() {
      (total, index, satelliteCount) = usual
    } else {
      (total, index, satelliteCount) = fields.listStart()
    }
    satellites = fields
  }
}

extension FieldReader {
  /// Reads GSV's first three fields where they have one, one and two digits, and more fields follow. Leaves the
  /// reader in place and returns `nil` for all else.
  @inline(__always)
  fileprivate mutating func usualListStart() -> (total: Int, index: Int, satelliteCount: Int)? {
    // The eight bytes of the load are before `end`.
    guard end - next >= 8 else { return nil }
    let word = UInt64(littleEndian: next.loadUnaligned(as: UInt64.self))
    let values = WordDigits.values(word)
    guard word & 0x00FF_0000_FF00_FF00 == 0x002C_0000_2C00_2C00,
      WordDigits.others(values) & 0x0000_8080_0080_0080 == 0
    else { return nil }
    advance(past: next + 6)
    return (
      Int(values & 0xFF), Int(values &>> 16 & 0xFF), Int((values &>> 32 & 0xFF) &* 10 &+ values &>> 40 & 0xFF)
    )
  }

  @inline(never)
  fileprivate mutating func listStart() -> (total: Int?, index: Int?, satelliteCount: Int?) {
    (integer(), integer(), integer())
  }

  /// Reads GSA's three dilutions.
  @inline(__always)
  fileprivate mutating func dilutions() -> GSA.Dilutions {
    GSA.Dilutions(position: dilution(), horizontal: dilution(), vertical: dilution())
  }

  /// Reads GSA's mode; an Antaris writes `E` during dead reckoning, which is no evidence about satellites.
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

  /// Reads GSA's last field: a system number, or (SiRF TriG) some other number.
  @inline(__always)
  fileprivate mutating func systemNumber() -> Int? {
    guard let number = number() else { return nil }
    return Int(exactly: number)
  }
}
