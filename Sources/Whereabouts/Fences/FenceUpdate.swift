public import WhereaboutsModel

/// An update of the fences: a record, or a problem that prevents monitoring or storing fences.
public enum FenceUpdate: Hashable, Sendable {
  /// An event, a revision, or the removal of a fence, under its number in the store.
  case record(NumberedFenceRecord)
  /// The source does not deliver and fences are not monitored. Events in between are reported afterwards. A retry that
  /// fails with the same problem is no update.
  case problem(SourceProblem)
  /// The authorization has changed. While fixes are not permitted, fences are not monitored, and no stay is reported.
  case authorization(Authorization)
  /// Events can't be stored for now; the manager retries. ``ManagerSettings/unsavedEvents`` determines whether unsaved
  /// events are reported. A store that could not be loaded is reported by ``LocationManager/storeHealth`` alone.
  case storeFailed(StoreError)
  /// Events are stored again, including those that were pending.
  case storeRecovered

  /// The event, new or revised; `nil` for every other update. An event revised by a late fix is reported again with its
  /// id.
  public var event: FenceEvent? {
    guard case .record(let record) = self else { return nil }
    switch record.record {
    case .event(let event), .revised(_, let event?): return event
    case .revised(_, nil), .removed, .decided: return nil
    }
  }

  /// The number of the record, increasing by one; `nil` for problems and changes of permission, which are not stored,
  /// and for records from before the store could be loaded.
  ///
  /// Pass the number to ``Fences/acknowledge(through:by:)``.
  public var number: UInt64? {
    if case .record(let record) = self, record.number > 0 { record.number } else { nil }
  }
}
