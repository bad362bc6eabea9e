public import WhereaboutsModel

/// An item of an upload to an endpoint.
public struct UploadItem: Hashable, Sendable {
  /// The kinds of content.
  public enum Content: Hashable, Sendable {
    /// A fix.
    case fix(Fix)
    /// An event at a fence.
    case crossing(FenceEvent)
    /// A correction: the event with that id is replaced by this one, or by `nil` if it did not happen.
    case revised(FenceEvent.ID, FenceEvent?)
  }

  /// The item's id, unique for its device and the same in every request: `fix/12`, `note/3`.
  public var id: String
  /// The content.
  public var content: Content
  /// The time of the fix or event; for a fix without a time, the time of its arrival. `nil` if unknown.
  public var time: UTCTime?
  /// The name of a crossing's fence; `nil` without one.
  public var fenceName: String?

  /// Creates an item of a logged fix with its number.
  public init(_ logged: LoggedFix, number: UInt64) {
    id = "fix/\(number)"
    content = .fix(logged.fix)
    time = logged.time
  }

  /// Creates an item of a fence record with its number; `nil` if the record is no event.
  public init?(_ record: FenceRecord, number: UInt64, fenceName: String? = nil) {
    id = "note/\(number)"
    self.fenceName = fenceName
    switch record {
    case .event(let event):
      content = .crossing(event)
      time = event.time
    case .revised(let event, let revision):
      content = .revised(event, revision)
      time = revision?.time
    case .decided, .removed: return nil
    }
  }

  /// Whether the item depends on a simulated fix.
  public var isSimulated: Bool {
    switch content {
    case .fix(let fix): fix.isSimulated
    case .crossing(let event), .revised(_, let event?): event.decidedBy.isSimulated
    case .revised(_, nil): false
    }
  }
}
