/// The sentences that are read; all others are passed over.
enum SentenceKind: UInt8, CaseIterable {
  case rmc, gga, gll, gns, vtg, gsa, gsv, gst, gbs, zda, hdt, hdm, hdg, ths, rot, pgrme, pubx00, pubx04

  /// The name of the kind.
  var name: String {
    switch self {
    case .rmc: "RMC"
    case .gga: "GGA"
    case .gll: "GLL"
    case .gns: "GNS"
    case .vtg: "VTG"
    case .gsa: "GSA"
    case .gsv: "GSV"
    case .gst: "GST"
    case .gbs: "GBS"
    case .zda: "ZDA"
    case .hdt: "HDT"
    case .hdm: "HDM"
    case .hdg: "HDG"
    case .ths: "THS"
    case .rot: "ROT"
    case .pgrme: "PGRME"
    case .pubx00: "PUBX,00"
    case .pubx04: "PUBX,04"
    }
  }

  /// This kind alone.
  @inline(__always)
  var bit: KindSet { KindSet(rawValue: 1 &<< UInt32(rawValue)) }

  /// Returns the kind of the sentence at a `$`, and the first byte after its address; `nil` for unsupported kinds.
  ///
  /// Any two letters are a talker, except that `P` begins a maker's own sentence: `$PGRMC` is not an RMC. (`PQ` is a
  /// talker all the same: Quectel's for QZSS and BeiDou.)
  @inline(__always)
  static func identify(
    _ start: UnsafeRawPointer, to bodyEnd: UnsafeRawPointer
  ) -> (kind: SentenceKind, fields: UnsafeRawPointer)? {
    // The mark, two letters of the talker, three of the type, and a comma.
    guard bodyEnd - start >= 7 else { return nil }
    @inline(__always) func byte(_ index: Int) -> UInt8 { (start + index).load(as: UInt8.self) }
    if byte(1) == UInt8(ascii: "P"), byte(2) != UInt8(ascii: "Q") {
      return identifyProprietary(start, to: bodyEnd)
    }
    let kind: SentenceKind
    // The type and the comma.
    switch UInt32(bigEndian: (start + 3).loadUnaligned(as: UInt32.self)) {
    case 0x524D_432C: kind = .rmc
    case 0x4747_412C: kind = .gga
    case 0x4753_562C: kind = .gsv
    case 0x4753_412C: kind = .gsa
    case 0x474C_4C2C: kind = .gll
    case 0x5654_472C: kind = .vtg
    case 0x474E_532C: kind = .gns
    case 0x4753_542C: kind = .gst
    case 0x4742_532C: kind = .gbs
    case 0x5A44_412C: kind = .zda
    case 0x4844_542C: kind = .hdt
    case 0x4844_4D2C: kind = .hdm
    case 0x4844_472C: kind = .hdg
    case 0x5448_532C: kind = .ths
    case 0x524F_542C: kind = .rot
    default: return nil
    }
    return (kind, start + 7)
  }

  @inline(never)
  private static func identifyProprietary(
    _ start: UnsafeRawPointer, to bodyEnd: UnsafeRawPointer
  ) -> (kind: SentenceKind, fields: UnsafeRawPointer)? {
    let body = UnsafeRawBufferPointer(start: start, count: bodyEnd - start)
    if body.starts(with: "$PGRME,".utf8) { return (.pgrme, start + 7) }
    if body.starts(with: "$PUBX,00,".utf8) { return (.pubx00, start + 9) }
    if body.starts(with: "$PUBX,04,".utf8) { return (.pubx04, start + 9) }
    return nil
  }
}

/// Kinds of sentences.
struct KindSet: OptionSet {
  var rawValue: UInt32
}

/// The two letters that identify the device, or the satellite system, of a sentence.
struct Talker: Hashable {
  /// Both letters, the first one in the higher byte.
  var letters: UInt16

  init(letters: UInt16) {
    self.letters = letters
  }

  /// Creates the talker of the sentence that begins there; it must have one.
  @inline(__always)
  init(_ start: UnsafeRawPointer) {
    letters = UInt16(bigEndian: start.loadUnaligned(fromByteOffset: 1, as: UInt16.self))
  }

  static let gp = Talker(letters: 0x4750)
  static let gl = Talker(letters: 0x474C)
  static let ga = Talker(letters: 0x4741)
  static let gb = Talker(letters: 0x4742)
  static let bd = Talker(letters: 0x4244)
  static let gq = Talker(letters: 0x4751)
  static let qz = Talker(letters: 0x515A)
  static let pq = Talker(letters: 0x5051)
  static let gi = Talker(letters: 0x4749)
}
