import CZlib

/// A gzip compressor for bodies of requests and responses.
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
}
