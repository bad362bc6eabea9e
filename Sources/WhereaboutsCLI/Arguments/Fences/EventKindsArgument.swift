import ArgumentParser
import WhereaboutsModel

/// Kinds of fence events as typed: `enter,exit`.
struct EventKindsArgument: ListedArgument, Hashable, Sendable {
  var kinds: Set<FenceEvent.Kind>

  init?(argument: String) {
    kinds = []
    for part in argument.split(separator: ",", omittingEmptySubsequences: false) {
      guard let kind = FenceEvent.Kind(rawValue: String(part)) else { return nil }
      kinds.insert(kind)
    }
  }

  static var allValueStrings: [String] { FenceEvent.Kind.allCases.map(\.rawValue) }
}
