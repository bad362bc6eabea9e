/// How a store keeps what it is given.
public struct StoreSettings: Hashable, Sendable {
  /// What was committed for the process alone is on disk, and outlives a power cut, after so long at the latest.
  public var syncInterval: Duration = .seconds(5)
  /// And after so many fixes at the latest.
  public var syncCount = 256
  /// How long to wait at opening for another program that holds the file.
  public var openingPatience: Duration = .seconds(5)
  /// How long a commit waits for another program that holds the file. It holds up a thread meanwhile.
  public var committingPatience: Duration = .seconds(1)
  /// What of the history is kept.
  public var retention = Retention()
  /// Whether fixes are kept when nothing needs them any more to go on. Without, there is no history to show or send.
  public var keepsHistory = true

  /// The usual.
  public init() {}
}

/// What of a device's history is kept; looked after now and then while fixes are committed.
///
/// Crossings and trips are kept until they are forgotten, and fixes at least until the engine needs them no more to go on.
/// Whatever is to be sent somewhere and is erased before, isn't sent.
public struct Retention: Hashable, Sendable {
  /// Fixes that are older than the device's newest by more than this are erased; `nil`: never.
  public var age: Duration?
  /// Of each device so many fixes are kept, the newest, or up to a hundredth more; `nil`: all.
  public var count: Int?
  /// The oldest fixes of any device are erased while what is in the file takes more bytes than this; `nil`: never.
  public var bytes: Int64?

  /// Everything is kept.
  public init(age: Duration? = nil, count: Int? = nil, bytes: Int64? = nil) {
    self.age = age
    self.count = count
    self.bytes = bytes
  }
}
