public import WhereaboutsEngine
public import WhereaboutsModel

/// The stored data of a device that an engine needs to resume.
public struct DeviceRecord: Sendable {
  /// The last snapshot; `nil` if the store has none.
  public var snapshot: EngineSnapshot?
  /// The fences as of the snapshot, in the order of their serial numbers.
  public var fences: [StoreCommit.FenceChange.Entry] = []
  /// The fences that the device's engine shares with other engines; used instead of ``fences`` unless `nil`.
  package var sharedFences: FenceRegistry?
  /// The last serial number of an area.
  public var lastSerial: UInt64 = 0
  /// The edits by other processes since the snapshot, in order, to be applied.
  public var edits: [FenceEdit] = []
  /// The fixes after the snapshot, in the order of processing.
  public var fixesSinceSnapshot: [LoggedFix] = []
  /// The last used fix; `nil` if there was none.
  public var lastFix: LoggedFix?
  /// The time up to which all due events were reported; `nil` where unknown.
  public var processedUntil: UTCTime?
  /// The newest fence records, at most ``Fences/rememberedRecords``, the oldest first.
  public var fenceRecords: [NumberedFenceRecord] = []
  /// The id of the last reported event; 0 if there was none.
  public var lastEventNumber: UInt64 = 0
  /// The number of the last fence record; 0 if there was none.
  public var lastRecordNumber: UInt64 = 0
  /// The trips that have not ended.
  public var openTrips: [Trip] = []
  /// The names of the trips that have ended. A manager gives them to no other trip, which would replace the stored one.
  public var endedTrips: [TripID] = []
  /// The receiver usage with the greatest number; `nil` if there is none.
  public var lastReceiverUsage: ReceiverUsage?

  /// Creates the record of an unknown device.
  public init() {}

  /// Returns the fences with the device's state towards them; `nil` if there is neither. Fences without a stored state
  /// existed before the state was erased: their states are detected anew.
  ///
  /// - Parameter settings: the settings of a new watch.
  package func fenceSnapshot(_ settings: FenceSettings) -> FenceSnapshot? {
    let registry =
      sharedFences
      ?? FenceRegistry(fences.map(\.fence), serials: fences.map(\.serial), lastSerial: lastSerial)
    guard let watch = snapshot?.watch ?? (registry.count == 0 ? nil : FenceWatch(settings)) else {
      return nil
    }
    // A snapshot without a watch is from before the first fence.
    let known: UInt64? = snapshot.flatMap { $0.watch == nil ? 0 : $0.fenceSerial }
    return FenceSnapshot(
      registry, watch, knownSerial: known, waitingFences: snapshot?.waitingFences,
      wakePlanner: snapshot?.wakePlanner)
  }
}

extension DeviceRecord {
  /// A change to a device's fences by another process, possibly while the device's engine was running.
  public struct FenceEdit: Hashable, Sendable {
    /// The kind of change.
    public enum Change: Hashable, Sendable {
      /// The fence replaces the fence with its id, or is added.
      case set(Fence)
      /// The fence is removed.
      case removed(FenceID)
    }

    /// The number: from 1, increasing.
    public var number: UInt64
    /// The change itself.
    public var change: Change

    /// Creates an edit.
    public init(number: UInt64, change: Change) {
      self.number = number
      self.change = change
    }

    fileprivate var isRemoval: Bool { if case .removed = change { true } else { false } }
  }
}

extension [DeviceRecord.FenceEdit] {
  /// The commands that apply the edits in their order, each with the number of its last edit. Consecutive edits of one
  /// kind are one command, and so one commit: an import adds thousands of fences.
  package var commands: [(command: FenceCommand, edit: UInt64)] {
    var commands: [(command: FenceCommand, edit: UInt64)] = []
    var rest = self[...]
    while let first = rest.first {
      let same = rest.prefix { $0.isRemoval == first.isRemoval }
      rest = rest.dropFirst(same.count)
      var set: [Fence] = [], removed: [FenceID] = []
      for edit in same {
        switch edit.change {
        case .set(let fence): set.append(fence)
        case .removed(let id): removed.append(id)
        }
      }
      let command: FenceCommand = first.isRemoval ? .remove(removed) : .update(set)
      commands.append((command: command, edit: same.last?.number ?? first.number))
    }
    return commands
  }
}
