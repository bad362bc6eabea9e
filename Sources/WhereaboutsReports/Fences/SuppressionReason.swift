import WhereaboutsModel

/// A reason why an event was suppressed.
enum SuppressionReason: String, Hashable, CaseIterable {
  case dismissed = "likely for a while and never sure"
  case atRest = "fixes that wander while it rests"
  case tooShort = "too short to count"
  case notAskedFor = "not asked for"
  case outsideHours = "outside its hours"
  case tooCoarse = "too coarse"
  case doubted = "probably an outlier"
  case tooLate = "too late"
  case timeless = "without a time"

  /// The key of the reason in JSON.
  var key: String {
    switch self {
    case .dismissed: "dismissed"
    case .atRest: "atRest"
    case .tooShort: "tooShort"
    case .notAskedFor: "notAskedFor"
    case .outsideHours: "outsideHours"
    case .tooCoarse: "tooCoarse"
    case .doubted: "doubted"
    case .tooLate: "tooLate"
    case .timeless: "timeless"
    }
  }

  /// Creates the reason of a decision; returns `nil` if the decision suppresses nothing.
  init?(_ decision: FenceDecision) {
    switch decision {
    case .determined, .suspected, .waiting: return nil
    case .doubted: self = .doubted
    case .dismissed: self = .dismissed
    case .atRest: self = .atRest
    case .tooShort: self = .tooShort
    case .notAskedFor: self = .notAskedFor
    case .outsideHours: self = .outsideHours
    case .tooCoarse: self = .tooCoarse
    case .tooLate: self = .tooLate
    case .timeless: self = .timeless
    }
  }
}
