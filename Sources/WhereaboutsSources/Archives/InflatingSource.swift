import CZlib
import WhereaboutsModel
import WhereaboutsFormats

/// The inflated bytes of another source.
///
/// - Source: RFC 1951 and RFC 1952, by zlib.
final class InflatingSource: ByteSource {
  /// The form of the compressed bytes.
  enum Form {
    /// Members of gzip in a row.
    case gzip
    /// Deflated bytes without a header, as in zip archives.
    case raw
  }

  /// The number of bytes that may be inflated at any ratio.
  static let freeBytes = 64 << 20
  /// The greatest ratio of inflated to compressed bytes beyond ``freeBytes``. Text of positions has 10 to 50.
  static let maxRatio = 200

  private let base: any ByteSource
  private let form: Form
  private let name: String
  private let stream: UnsafeMutablePointer<z_stream>
  private let input: UnsafeMutableRawBufferPointer
  private var produced = 0
  private var hasEnded = false
  private(set) var damage: ByteDamage?
  var consumed: Int { base.consumed }

  /// - Parameter maximum: the greatest number of inflated bytes; `nil` for no limit but the ratio.
  init(_ base: any ByteSource, _ form: Form, name: String) throws(SourceProblem) {
    self.base = base
    self.form = form
    self.name = name
    stream = .allocate(capacity: 1)
    stream.initialize(to: z_stream())
    input = .allocate(byteCount: 1 << 16, alignment: 16)
    let bits = form == .gzip ? MAX_WBITS + 16 : -MAX_WBITS
    guard inflateInit2_(stream, bits, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size)) == Z_OK else {
      throw SourceProblem(.unreadable, message: "read \(name): no memory to inflate it")
    }
  }

  deinit {
    inflateEnd(stream)
    stream.deallocate()
    input.deallocate()
  }

  func read(into buffer: UnsafeMutableRawBufferPointer) throws(SourceProblem) -> Int {
    guard !hasEnded, !buffer.isEmpty else { return 0 }
    stream.pointee.next_out = buffer.baseAddress?.assumingMemoryBound(to: UInt8.self)
    stream.pointee.avail_out = UInt32(clamping: buffer.count)
    let room = Int(stream.pointee.avail_out)
    while Int(stream.pointee.avail_out) == room {
      if stream.pointee.avail_in == 0, try !refill() {
        end(.truncated, "the compressed data ends in the middle")
        break
      }
      let code = inflate(stream, Z_NO_FLUSH)
      if code == Z_STREAM_END {
        guard form == .gzip, try beginsNextMember() else {
          hasEnded = true
          break
        }
      } else if code != Z_OK, code != Z_BUF_ERROR {
        end(.malformed, "the compressed data is damaged")
        break
      }
    }
    let count = room - Int(stream.pointee.avail_out)
    produced += count
    try checkRatio()
    return count
  }

  private func end(_ kind: InputProblem.Kind, _ rule: String) {
    hasEnded = true
    damage = ByteDamage(kind: kind, rule: rule)
  }

  private func refill() throws(SourceProblem) -> Bool {
    let count = try base.read(into: input)
    stream.pointee.next_in = input.baseAddress?.assumingMemoryBound(to: UInt8.self)
    stream.pointee.avail_in = UInt32(count)
    return count > 0
  }

  /// Returns whether another member follows; other bytes after a member are padding.
  private func beginsNextMember() throws(SourceProblem) -> Bool {
    if stream.pointee.avail_in == 0, try !refill() { return false }
    guard stream.pointee.next_in.pointee == 0x1F else { return false }
    return inflateReset(stream) == Z_OK
  }

  private func checkRatio() throws(SourceProblem) {
    let used = max(1, base.consumed)
    guard produced > Self.freeBytes, produced / used > Self.maxRatio else { return }
    throw SourceProblem(
      .unreadable,
      message:
        "read \(name): it inflates to more than \(Self.maxRatio) times its size, as no recording does; it may be made to fill a disk"
    )
  }
}

/// The number of bytes that the recordings in an archive within another one may have together. They may inflate at any
/// ratio as far as ``InflatingSource/freeBytes``, then to ``InflatingSource/maxRatio`` times the size of that archive.
final class InflationBudget {
  private var remaining: Int

  /// - Parameter size: the size of the archive in bytes, as compressed.
  init(size: Int64) {
    let (product, overflow) = Int(clamping: size).multipliedReportingOverflow(by: InflatingSource.maxRatio)
    remaining = overflow ? .max : max(InflatingSource.freeBytes, product)
  }

  /// Counts bytes that were read.
  ///
  /// - Throws: a `SourceProblem` if there are too many.
  func spend(_ count: Int, name: String) throws(SourceProblem) {
    remaining -= min(count, remaining)
    guard remaining > 0 else {
      throw SourceProblem(
        .unreadable,
        message:
          "read \(name): the archive that it is in inflates to more than \(InflatingSource.maxRatio) times its size, as no recordings do; it may be made to fill a disk"
      )
    }
  }
}
