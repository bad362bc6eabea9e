/// The bytes of some fields with the byte after each, and the value that they state.
///
/// Receivers repeat many fields in each instant, or in several sentences of one: to compare their bytes is cheaper than to
/// read them again. Texts of one to two blocks are compared as the first block and the last one, which may overlap.
struct LatestText<Block: SIMD & BitwiseCopyable, Value> where Block.Scalar: FixedWidthInteger {
  private(set) var value: Value
  /// The number of bytes; before the first text more than any sentence has.
  private(set) var count = Int.max
  private var first = Block(), last = Block()

  /// Creates a text that equals no other.
  init(_ value: Value) {
    self.value = value
  }

  /// Returns whether the same bytes are there. The caller guarantees that `count` bytes are readable.
  @inline(__always)
  func isRepeated(at start: UnsafeRawPointer) -> Bool {
    let lastBlock = start + (count &- MemoryLayout<Block>.size)
    let differences =
      (first ^ start.loadUnaligned(as: Block.self)) | (last ^ lastBlock.loadUnaligned(as: Block.self))
    return differences == Block()
  }

  /// Records a value if its text has a usual number of bytes. The caller guarantees that these bytes are readable.
  @inline(__always)
  mutating func record(_ value: Value, from start: UnsafeRawPointer, count: Int) {
    let size = MemoryLayout<Block>.size
    guard count >= size, count <= 2 &* size else { return }
    self.value = value
    self.count = count
    first = start.loadUnaligned(as: Block.self)
    last = (start + (count &- size)).loadUnaligned(as: Block.self)
  }
}

/// The latest texts of fields that receivers repeat.
struct LatestTexts {
  /// The four fields of a position.
  var position = LatestText<SIMD2<UInt64>, Position?>(nil)
  /// The date of RMC and the three fields after it.
  var dayAndMode = LatestText<SIMD2<UInt32>, (day: CivilDay?, mode: ModeIndicator?)>((nil, nil))
  /// The quality of GGA, the number of satellites used and the dilution.
  var quality = LatestText<SIMD2<UInt32>, (quality: Int?, satellitesUsed: Int?, dilution: Double?)>(
    (nil, nil, nil))
  /// The geoid separation of GGA between two units.
  var geoidSeparation = LatestText<SIMD2<UInt32>, Double?>(nil)

  /// The fields of VTG.
  var vtg = LatestText<SIMD2<UInt64>, VTG>(VTG())
  /// The three dilutions of GSA, which the sentences of all satellite systems repeat.
  private var dilutions = LatestText<SIMD2<UInt32>, GSA.Dilutions>(GSA.Dilutions())
  private var gsaTexts = LatestGSATexts()

  /// Reads a GSA.
  @inline(__always)
  mutating func gsa(_ fields: inout FieldReader, talker: Talker) -> GSA {
    gsaTexts.gsa(&fields, talker: talker, latest: &dilutions)
  }
}

/// The latest texts of GSA, of which receivers send one for each satellite system.
private struct LatestGSATexts {
  private typealias Text = LatestText<SIMD4<UInt64>, GSA>
  private var texts = (Text(GSA()), Text(GSA()), Text(GSA()), Text(GSA()))

  /// Reads a GSA.
  @inline(__always)
  mutating func gsa(
    _ fields: inout FieldReader, talker: Talker, latest: inout LatestText<SIMD2<UInt32>, GSA.Dilutions>
  ) -> GSA {
    // The system is named by the talker, or by the last byte.
    let place = Int(truncatingIfNeeded: talker.letters) ^ Int((fields.end - 1).load(as: UInt8.self))
    return withUnsafeMutableBytes(of: &texts) { bytes in
      // The place is one of the four texts.
      bytes.withMemoryRebound(to: Text.self) { fields.repeated(&$0[place & 3]) { GSA(&$0, latest: &latest) } }
    }
  }
}

extension FieldReader {
  /// Returns what `read` reads, from the latest text if the fields are the same bytes.
  @inline(__always)
  mutating func repeated<Block, Value>(
    _ latest: inout LatestText<Block, Value>, read: (inout FieldReader) -> Value
  ) -> Value {
    // The text of a last field includes the byte at `end`, which is readable and occurs in no field. So a last field
    // equals only a last field.
    if end - next >= latest.count &- 1, latest.isRepeated(at: next) {
      advance(past: next + (latest.count &- 1))
      return latest.value
    }
    let start = next
    let value = read(&self)
    // Once all fields are read, `next` is one past the byte at `end`.
    if problem == nil { latest.record(value, from: start, count: next - start) }
    return value
  }
}
