/// The state of an engine that must survive the process and can't be derived from other stored data. With the fences
/// and the later fixes, a new engine resumes where the old one ended.
///
/// Requests and subscriptions are left out: they end with the process that made them.
public struct EngineSnapshot: Hashable, Sendable, Codable {
  /// The version of the format that is written. `SQLiteStore` reads older versions, too; other stores must not decode
  /// them.
  public static let currentVersion = 3

  /// The version of the format.
  public let version: Int
  /// The observations of the device's fences; `nil` where there have never been any.
  public var watch: FenceWatch?
  /// The serial of the newest area of the watched fences; `nil` in older stored states. Fences that are shared by
  /// devices may be stored before the snapshot of a device that watches them.
  package var fenceSerial: UInt64?
  /// The fences of the events that wait; `nil` if none waits. Fences that devices share may be stored with other areas
  /// before the events are.
  package var waitingFences: FenceRegistry?
  /// The regions that the platform watches; `nil` where it watches none.
  package var wakePlanner: WakePlanner?
  /// The trips that trackers have counted under a name.
  public var trips: [TripSnapshot]

  /// Creates a snapshot.
  public init(watch: FenceWatch? = nil, trips: [TripSnapshot] = []) {
    version = Self.currentVersion
    self.watch = watch
    self.trips = trips
  }

  package init(
    watch: FenceWatch?, fenceSerial: UInt64? = nil, waitingFences: FenceRegistry? = nil,
    wakePlanner: WakePlanner?, trips: [TripSnapshot]
  ) {
    self.init(watch: watch, trips: trips)
    self.fenceSerial = fenceSerial
    self.waitingFences = waitingFences
    self.wakePlanner = wakePlanner
  }
}
