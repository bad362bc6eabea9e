import Crypto
import Foundation
import WhereaboutsCompression

/// A file of the web page, as it is sent.
struct PageAsset: Sendable {
  /// The bytes of one encoding with their version.
  struct Encoded: Sendable {
    let bytes: [UInt8]
    /// The entity tag, in quotation marks.
    let tag: String
  }

  /// The media type.
  let type: String
  /// The file as it is.
  let plain: Encoded
  /// The file as gzip; `nil` if that saves nothing.
  let gzip: Encoded?

  init(type: String, _ bytes: [UInt8]) {
    self.type = type
    let digest = Self.digest(of: [bytes])
    plain = Encoded(bytes: bytes, tag: "\"\(digest)\"")
    gzip = Gzip.compressed(bytes).flatMap { compressed in
      // A tag names one encoding.
      compressed.count < bytes.count ? Encoded(bytes: compressed, tag: "\"\(digest)-gzip\"") : nil
    }
  }

  /// Returns a short digest of some files, which changes with each of them.
  static func digest(of files: [[UInt8]]) -> String {
    var hash = SHA256()
    for bytes in files {
      withUnsafeBytes(of: UInt64(bytes.count).littleEndian) { hash.update(bufferPointer: $0) }
      hash.update(data: bytes)
    }
    return hash.finalize().prefix(12).map { byte in
      let digits = String(byte, radix: 16)
      return digits.count == 1 ? "0" + digits : digits
    }.joined()
  }
}
