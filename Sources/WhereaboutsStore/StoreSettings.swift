/// The settings of a store.
public struct StoreSettings: Hashable, Sendable {
  /// The greatest time until a commit of durability `process` is synced to disk.
  public var syncInterval: Duration = .seconds(5)
  /// The greatest number of fixes until commits are synced to disk.
  public var syncCount = 256
  /// The longest wait for another program's lock while opening.
  public var openTimeout: Duration = .seconds(5)
  /// The longest wait of a commit for another program's lock. The wait blocks a thread.
  public var commitTimeout: Duration = .seconds(1)
  /// The retention of the history.
  public var retention = Retention()
  /// Whether fixes are kept after the engine no longer needs them. Without a history, nothing can be shown or
  /// uploaded.
  public var keepsHistory = true

  /// Creates the default settings.
  public init() {}
}

/// The limits of a device's history, enforced from time to time while fixes are committed.
///
/// Crossings and trips are kept until they are erased. Fixes are kept at least until the engine no longer needs them.
/// Erased fixes that were not uploaded yet are never uploaded.
public struct Retention: Hashable, Sendable {
  /// The greatest age of a fix before the device's newest fix; older fixes are erased. After a gap of more than a day,
  /// later fixes count once they span a day. `nil` erases none.
  public var age: Duration?
  /// The number of newest fixes kept for each device, exceeded by at most a hundredth; `nil` keeps all.
  public var count: Int?
  /// The number of bytes in use above which the oldest fixes of any device are erased; `nil` sets no limit.
  public var bytes: Int64?

  /// Creates a retention; by default everything is kept.
  public init(age: Duration? = nil, count: Int? = nil, bytes: Int64? = nil) {
    self.age = age
    self.count = count
    self.bytes = bytes
  }
}
