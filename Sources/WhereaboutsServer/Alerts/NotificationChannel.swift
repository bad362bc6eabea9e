/// A receiver of notifications.
package struct NotificationChannel: Hashable, Sendable {
  /// The kind of a receiver.
  package enum Kind: Hashable, Sendable {
    /// An HTTP request.
    case webhook(Webhook)
    /// A program that is run.
    case command([String])
  }

  /// A receiver over HTTP.
  package struct Webhook: Hashable, Sendable {
    /// The content of a request.
    package enum Format: String, Hashable, Sendable, Codable, CaseIterable {
      /// The crossing as JSON.
      case json
      /// A sentence as plain text.
      case text
    }

    /// The URL, which may be a secret itself.
    package var url: String
    /// The key of the signature; `nil` for requests without one.
    package var key: [UInt8]?
    /// The content of a request.
    package var format = Format.json
    /// The authorities that may sign the receiver's certificate, in PEM; `nil` for the system's.
    package var authorities: String?

    /// The host for messages: a path may be a secret.
    var host: String {
      let rest = url.split(separator: "/", omittingEmptySubsequences: true).dropFirst().first ?? ""
      return String(rest.split(separator: "@").last ?? "")
    }
  }

  /// The name.
  package var name: String
  /// The kind.
  package var kind: Kind
  /// The part of a place that the receiver is sent.
  package var places = PlaceSharing.zones
  /// The time limit of an attempt.
  package var timeout: Duration
  /// The age at which a notification is given up.
  package var givesUpAfter = Duration.seconds(3 * 86_400)
}
