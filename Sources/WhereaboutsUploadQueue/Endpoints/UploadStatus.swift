public import WhereaboutsModel
public import WhereaboutsFormats

/// The upload status of an endpoint.
public struct UploadStatus: Hashable, Sendable {
  /// The numbers of requests and their items.
  public struct Count: Hashable, Sendable {
    /// The number of requests.
    public var requests = 0
    /// The number of fixes and crossings in the requests.
    public var items = 0
    /// The number of crossings in the requests.
    public var crossings = 0
  }

  /// A request that was set aside.
  public struct DeadLetter: Hashable, Sendable {
    /// The key of the request.
    public var key: String
    /// The number of fixes and crossings in the request.
    public var items: Int
    /// The number of attempts.
    public var attempts: Int
    /// The reason for setting the request aside.
    public var reason: String
  }

  /// The endpoint.
  public var endpoint: Endpoint
  /// The reason uploads are stopped until a person resumes them; `nil` while they run.
  public var stopReason: String?
  /// The waiting requests.
  public var waiting = Count()
  /// The number of fixes not read yet; usually only some of them are sent.
  public var unreadFixes = 0
  /// The requests that were set aside.
  public var dead = Count()
  /// The newest of the requests that were set aside.
  public var deadLetters: [DeadLetter] = []
  /// The time of the oldest waiting item; `nil` if none waits.
  public var oldest: UTCTime?
  /// The number of failed attempts of the next request.
  public var attempts = 0
  /// The time of the next attempt, by the wall clock; `nil` for at once.
  public var nextTry: UTCTime?
  /// The number of requests that the server accepted.
  public var sent = 0
  /// The number of items in the accepted requests.
  public var sentItems = 0
  /// The time of the last accepted request; `nil` if there was none.
  public var lastSent: UTCTime?
  /// The time of the last failed attempt; `nil` if there was none.
  public var lastFailed: UTCTime?
  /// The reason of the last failure; `nil` if there was none.
  public var lastReason: String?
  /// The number of answers that were not from a server of the template, as from a captive portal. Nothing was lost by
  /// them.
  public var unconfirmed = 0
  /// The numbers of items with content that the template does not support.
  public var unsupported: [UploadTemplate.UnsupportedContent: Int] = [:]
}
