package import WhereaboutsModel

extension SourceProblem.Code {
  /// The code of a source that a time limit has ended.
  package static let timedOut = SourceProblem.Code(rawValue: "timed-out")
}
