import NIOHTTP1
import NIOPosix
import NIOSSL

/// The reasons of failures below HTTP. The libraries' own messages are long, and state no remedy.
package enum ConnectionFailure {
  /// The greatest number of characters of a library's message.
  private static let longestMessage = 120

  /// Returns the reason of a failure in plain words.
  package static func reason(_ error: any Error) -> String {
    switch error {
    case let error as NIOConnectionError where error.connectionErrors.isEmpty:
      "the name of the host could not be resolved; check the name and the network"
    case is NIOConnectionError: "the connection was refused or timed out"
    case is HTTPParserError: "the answer is not HTTP, or ends early"
    case is NIOSSLError, is NIOSSLExtraError: tlsReason("\(error)")
    default: String("\(error)".prefix(longestMessage))
    }
  }

  private static func tlsReason(_ message: String) -> String {
    if message.contains("CERTIFICATE_VERIFY_FAILED") {
      return "the server's certificate is not valid now, or no trusted authority has signed it "
        + "(--ca-file names an authority of your own)"
    }
    if message.contains("failedToValidateHostname") { return "the server's certificate is for another host" }
    if message.contains("WRONG_VERSION_NUMBER") { return "the server has no TLS at this port" }
    return "TLS failed: \(message.prefix(longestMessage))"
  }
}
