public import Whereabouts

/// An event of a running uploader, for a person or a log.
public struct UploadEvent: Hashable, Sendable {
  /// The kind of event.
  public enum Kind: Hashable, Sendable {
    /// The server accepted a request with a number of items.
    case sent(items: Int)
    /// An attempt failed, and is retried after a delay.
    case failed(reason: String, retryAfter: Duration)
    /// The server never accepts the request, whose items were set aside.
    case deadLettered(items: Int, reason: String)
    /// Uploads are stopped until a person resumes them.
    case stopped(reason: String)
    /// Another process sends the store's data.
    case anotherProcessSends
    /// The store could not be read or written; the uploader retries.
    case storeFailed(StoreError)
  }

  /// The name of the endpoint.
  public var endpoint: String
  /// The kind of event.
  public var kind: Kind
}
