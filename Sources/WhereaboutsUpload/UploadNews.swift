public import Whereabouts

/// What an uploader has to say while it runs: for a person or a log, and of no more consequence.
public struct UploadNews: Hashable, Sendable {
  /// What happened.
  public enum Event: Hashable, Sendable {
    /// The server has taken a request with so many items.
    case sent(items: Int)
    /// It has not, and is asked again after so long.
    case failed(reason: String, again: Duration)
    /// It never will: so many items were set aside.
    case setAside(items: Int, reason: String)
    /// Nothing more is sent until somebody has looked after it.
    case stopped(reason: String)
    /// Another process is sending.
    case otherSends
    /// The store could not be read or written; it is tried again.
    case storeTrouble(StoreTrouble)
  }

  /// Where to.
  public var endpoint: String
  /// What happened.
  public var event: Event
}
