import WhereaboutsModel

/// The output of a fence tracker for one fix or moment.
struct FenceTrackerOutput {
  /// The events, in no order among different fences; their ids are not assigned yet.
  var events: [FenceEvent] = []
  /// The decisions, in order.
  var decisions: [FenceDecision] = []
  /// The exits that count, reported or not, each with the time of the first fix that is certainly outside.
  var exits: [(fence: FenceID, firstAfter: UTCTime)] = []
  /// Whether an event was held back for the hours of its fence.
  var hasHeldBack = false
}
