import Crypto
import Foundation

/// The headers by which the receiver of a webhook knows the sender and a repetition.
///
/// - Source: Standard Webhooks 1.0.0, "Signature scheme": HMAC-SHA256 of `id.timestamp.body`, in base64.
enum WebhookSignature {
  /// Returns the header fields.
  ///
  /// - Parameters:
  ///   - seconds: the time of the attempt in seconds since 1970.
  ///   - key: the key; `nil` for a request without a signature.
  static func fields(id: String, seconds: Int64, body: [UInt8], key: [UInt8]?) -> [(String, String)] {
    let fields = [("webhook-id", id), ("webhook-timestamp", "\(seconds)")]
    guard let key else { return fields }
    var signed = Array("\(id).\(seconds).".utf8)
    signed += body
    let code = HMAC<SHA256>.authenticationCode(for: signed, using: SymmetricKey(data: key))
    return fields + [("webhook-signature", "v1,\(Data(code).base64EncodedString())")]
  }
}
