public import WhereaboutsCore
public import WhereaboutsFormats

/// How things stand with an endpoint.
public struct UploadStatus: Hashable, Sendable {
  /// Requests and what is in them.
  public struct Count: Hashable, Sendable {
    /// Requests.
    public var requests = 0
    /// Fixes and crossings in them.
    public var items = 0
    /// Crossings in them.
    public var crossings = 0
  }

  /// A request that was set aside.
  public struct DeadLetter: Hashable, Sendable {
    /// Its name.
    public var key: String
    /// Fixes and crossings in it.
    public var items: Int
    /// How often it was tried.
    public var attempts: Int
    /// Why it was set aside.
    public var reason: String
  }

  /// The endpoint.
  public var endpoint: Endpoint
  /// Why nothing is sent until somebody has looked after it; `nil` while it is.
  public var stopped: String?
  /// What is to be sent.
  public var waiting = Count()
  /// Fixes that came and have not been looked at; hardly ever all of them are worth sending.
  public var unread = 0
  /// What was set aside.
  public var dead = Count()
  /// Of that, the newest few.
  public var deadLetters: [DeadLetter] = []
  /// The time of the oldest item that waits.
  public var oldest: UTCTime?
  /// How often the request that is next has failed.
  public var attempts = 0
  /// When it is tried again, by the wall clock; `nil` where at once.
  public var nextTry: UTCTime?
  /// Requests that were taken by the server.
  public var sent = 0
  /// Items in them.
  public var sentItems = 0
  /// When a request was taken last.
  public var lastSent: UTCTime?
  /// When one was not.
  public var lastFailed: UTCTime?
  /// Why not.
  public var lastReason: String?
  /// Answers that were not those of a server of the template, as of a captive portal; nothing was lost by them.
  public var unconfirmed = 0
  /// What the template has no words for, and how much of it there was.
  public var unsaid: [UploadTemplate.Unsaid: Int] = [:]
}
