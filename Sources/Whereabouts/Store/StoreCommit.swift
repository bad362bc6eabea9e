public import WhereaboutsEngine
public import WhereaboutsModel

/// The lasting changes of one input, written atomically.
public struct StoreCommit: Sendable {
  /// The durability that a commit must have when it returns.
  public enum Durability: Hashable, Sendable {
    /// The commit survives the end of the process. A power cut may lose the commits of the store's last interval.
    case process
    /// The commit survives a power cut.
    case power
  }

  /// The device of the commit.
  public var device: DeviceID
  /// The fixes, in the order of processing.
  public var fixes: [LoggedFix] = []
  /// The new fence records. Their numbers increase by one from record to record of a device.
  public var fenceRecords: [NumberedFenceRecord] = []
  /// The time, by the clock of the fixes, up to which all due events were reported; `nil` if unchanged.
  public var processedUntil: UTCTime?
  /// The changes to the fences.
  public var fences = FenceChange()
  /// Whether the fences belong to all devices of a server, which stores them itself. Only ended ones are removed then,
  /// unless they were replaced meanwhile.
  package var sharesFences = false
  /// The trips that began, continued or ended.
  public var trips: [Trip] = []
  /// The gaps of trips. A gap replaces the stored gap with its identity.
  public var gaps: [Trip.Gap] = []
  /// The receiver usages that began, continued or ended. A usage replaces the stored usage with its number.
  public var receiverUsages: [ReceiverUsage] = []
  /// The engine's state after all fixes including this commit's; `nil` if the previous snapshot remains valid.
  public var snapshot: EngineSnapshot? {
    get { snapshotOwner?.snapshot }
    set { snapshotOwner = newValue.map { SnapshotOwner($0) } }
  }
  private var snapshotOwner: SnapshotOwner?
  /// The number of the last applied edit; `nil` if unchanged.
  public var lastAppliedEdit: UInt64?
  /// The required durability.
  public var durability: Durability = .process

  /// Creates an empty commit.
  public init(device: DeviceID) { self.device = device }
}

/// A snapshot in an object: most commits have none, and the tasks that pass commits on would keep its room several times.
private final class SnapshotOwner: Sendable {
  let snapshot: EngineSnapshot

  init(_ snapshot: EngineSnapshot) { self.snapshot = snapshot }
}

extension StoreCommit {
  /// A change to a device's fences. ``removesAll`` applies first, then ``removed``, then ``set``.
  public struct FenceChange: Hashable, Sendable {
    /// A fence with the serial number of its area; see `FenceRegistry`.
    public struct Entry: Hashable, Sendable {
      /// The fence.
      public var fence: Fence
      /// The serial number of the area.
      public var serial: UInt64

      /// Creates an entry from a fence and the serial number of its area.
      public init(_ fence: Fence, serial: UInt64) {
        self.fence = fence
        self.serial = serial
      }
    }

    /// Whether all previous fences are removed.
    public var removesAll = false
    /// The ids of the removed fences.
    public var removed: [FenceID] = []
    /// Those of the removed fences that have ended, as they were then.
    package var ended: [Entry] = []
    /// The fences that are new or changed.
    public var set: [Entry] = []
    /// The last serial number of an area, which may be removed already; `nil` if no area was added.
    public var lastSerial: UInt64?

    /// Creates an empty change.
    public init() {}

    /// Whether nothing changes.
    public var isEmpty: Bool {
      !removesAll && removed.isEmpty && ended.isEmpty && set.isEmpty && lastSerial == nil
    }
  }
}

/// A fence record with its number in the device's delivery order.
public struct NumberedFenceRecord: Hashable, Sendable {
  /// The number: from 1, increasing by one; 0 for a record that is not stored, because the store could not be loaded
  /// yet.
  public var number: UInt64
  /// The record: an event, a revision, or the removal of a fence.
  public var record: FenceRecord

  /// Creates a numbered record.
  public init(number: UInt64, record: FenceRecord) {
    self.number = number
    self.record = record
  }
}
