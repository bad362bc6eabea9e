import CZlib

/// The compression of bodies of requests and responses with gzip.
///
/// - Source: RFC 1952, by zlib.
package enum Gzip {
  /// The smallest size in bytes worth compressing.
  package static let minimumSize = 600

  /// Returns the bytes as gzip; `nil` if memory is short.
  package static func compressed(_ bytes: [UInt8]) -> [UInt8]? {
    var stream = z_stream()
    // Window bits plus 16 select gzip's header and trailer.
    let code = deflateInit2_(
      &stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, MAX_WBITS + 16, 8, Z_DEFAULT_STRATEGY, ZLIB_VERSION,
      Int32(MemoryLayout<z_stream>.size))
    guard code == Z_OK else { return nil }
    defer { deflateEnd(&stream) }
    var input = bytes
    var output = [UInt8](repeating: 0, count: Int(deflateBound(&stream, UInt(bytes.count))))
    let count: Int? = input.withUnsafeMutableBufferPointer { source in
      output.withUnsafeMutableBufferPointer { target in
        stream.next_in = source.baseAddress
        stream.avail_in = UInt32(clamping: source.count)
        stream.next_out = target.baseAddress
        stream.avail_out = UInt32(clamping: target.count)
        guard deflate(&stream, Z_FINISH) == Z_STREAM_END else { return nil }
        return target.count - Int(stream.avail_out)
      }
    }
    guard let count else { return nil }
    return Array(output.prefix(count))
  }

  /// The reason why bytes can't be decompressed.
  package enum DecompressionError: Error {
    /// The content is larger than the limit.
    case tooLarge
    /// The bytes are not gzip or zlib, or are cut off.
    case malformed
  }

  /// Returns the content of bytes in gzip, also of several members, or in zlib's form, which HTTP calls deflate.
  ///
  /// Memory use stays within the limit for any input.
  ///
  /// - Parameter limit: the greatest size of the content in bytes.
  /// - Throws: `tooLarge` beyond the limit; `malformed` for other bytes, and for bytes that are cut off.
  package static func decompressed(
    _ bytes: [UInt8], upTo limit: Int
  ) throws(DecompressionError) -> [UInt8] {
    // Window bits plus 32 detect gzip and zlib by their headers.
    try decompressed(bytes, upTo: limit, windowBits: MAX_WBITS + 32)
  }

  /// Returns the content of bytes in HTTP's form deflate: zlib's, or without a header, as many programs send it.
  ///
  /// The limit and the errors are those of ``decompressed(_:upTo:)``.
  package static func inflated(_ bytes: [UInt8], upTo limit: Int) throws(DecompressionError) -> [UInt8] {
    do throws(DecompressionError) {
      return try decompressed(bytes, upTo: limit)
    } catch {
      guard case .malformed = error else { throw error }
      // Negative window bits stand for no header.
      return try decompressed(bytes, upTo: limit, windowBits: -MAX_WBITS)
    }
  }

  private static func decompressed(
    _ bytes: [UInt8], upTo limit: Int, windowBits: Int32
  ) throws(DecompressionError) -> [UInt8] {
    var stream = z_stream()
    guard inflateInit2_(&stream, windowBits, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size)) == Z_OK
    else { throw .malformed }
    defer { inflateEnd(&stream) }
    var input = bytes
    let result: Result<[UInt8], DecompressionError> = input.withUnsafeMutableBufferPointer { source in
      stream.next_in = source.baseAddress
      stream.avail_in = UInt32(clamping: source.count)
      return Result { () throws(DecompressionError) in try inflateAll(&stream, upTo: limit) }
    }
    return try result.get()
  }

  private static func inflateAll(
    _ stream: inout z_stream, upTo limit: Int
  ) throws(DecompressionError) -> [UInt8] {
    var content: [UInt8] = []
    var block = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let (code, count) = block.withUnsafeMutableBufferPointer { target in
        stream.next_out = target.baseAddress
        stream.avail_out = UInt32(target.count)
        let code = inflate(&stream, Z_NO_FLUSH)
        return (code, target.count - Int(stream.avail_out))
      }
      guard content.count + count <= limit else { throw .tooLarge }
      content += block[..<count]
      switch code {
      case Z_STREAM_END:
        guard stream.avail_in > 0 else { return content }
        guard inflateReset(&stream) == Z_OK else { throw .malformed }
      case Z_OK: if count == 0, stream.avail_in == 0 { throw .malformed }
      default: throw .malformed
      }
    }
  }
}
