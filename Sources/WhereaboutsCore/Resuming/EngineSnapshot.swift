/// What an engine must not lose and can't be found out from what else is kept: with the fences and the fixes that came
/// after it, everything goes on as if nothing had happened.
///
/// Requests and subscriptions are not in it: they are gone with the process that made them.
public struct EngineSnapshot: Hashable, Sendable, Codable {
  /// The version of the form that is written; older ones are read.
  public static let currentVersion = 1

  /// The version of the form.
  public let version: Int
  /// What the device has seen of its fences; `nil` where there have never been any.
  public var watch: FenceWatch?
  /// What trackers have counted under a name.
  public var trips: [TripSnapshot]

  /// A snapshot.
  public init(watch: FenceWatch? = nil, trips: [TripSnapshot] = []) {
    version = Self.currentVersion
    self.watch = watch
    self.trips = trips
  }
}
