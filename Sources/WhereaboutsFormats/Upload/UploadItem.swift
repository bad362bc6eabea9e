public import WhereaboutsCore

/// One thing that goes to an endpoint.
public struct UploadItem: Hashable, Sendable {
  /// What it is.
  public enum Content: Hashable, Sendable {
    /// A fix.
    case fix(Fix)
    /// Something happened at a fence.
    case crossing(FenceEvent)
    /// What was told of a fence was otherwise: the event of that id is now this, or did not happen.
    case revised(FenceEvent.ID, FenceEvent?)
  }

  /// Names it among all of its device, however often and in whatever request it is sent: `fix/12`, `note/3`.
  public var id: String
  /// What it is.
  public var content: Content
  /// When it was valid or happened; of a fix without a time, when it was taken. `nil` where nothing of it is known.
  public var time: UTCTime?
  /// What people call the fence of a crossing; `nil` where nobody does.
  public var fenceName: String?

  /// A fix with its number of arrival.
  public init(_ seen: SeenFix, number: UInt64) {
    id = "fix/\(number)"
    content = .fix(seen.fix)
    time = seen.time
  }

  /// What happened at a fence, with the number of the note; `nil` for what is no event.
  public init?(_ note: FenceNote, number: UInt64, fenceName: String? = nil) {
    id = "note/\(number)"
    self.fenceName = fenceName
    switch note {
    case .event(let event):
      content = .crossing(event)
      time = event.time
    case .revised(let event, let revision):
      content = .revised(event, revision)
      time = revision?.time
    case .decided, .removed: return nil
    }
  }

  /// Whether it comes of a simulated fix.
  public var isSimulated: Bool {
    switch content {
    case .fix(let fix): fix.isSimulated
    case .crossing(let event), .revised(_, let event?): event.decidedBy.isSimulated
    case .revised(_, nil): false
    }
  }
}
