import ArgumentParser
import WhereaboutsModel

/// The activity of the device as typed.
struct ActivityArgument: ListedArgument, Hashable, Sendable {
  var activity: Activity

  init(_ activity: Activity) { self.activity = activity }

  init?(argument: String) {
    guard let activity = Activity(rawValue: argument) else { return nil }
    self.activity = activity
  }

  static var allValueStrings: [String] { Activity.allCases.map(\.rawValue) }

  var defaultValueDescription: String { activity.rawValue }
}
