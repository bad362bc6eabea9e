package import WhereaboutsModel
package import WhereaboutsFormats

/// A time at which a recording ends early, in the recording's own time since its first fix.
///
/// Elements at that time or later are not played. So no output is ever later than the limit, at any replay speed.
package struct TimeLimit: Sendable {
  package let after: Duration
  /// The problem that ends the recording; `nil` for a normal end.
  package var problem: SourceProblem?
  /// A predicate for elements that cancel the limit if they arrive before the limit.
  package var isLifted: @Sendable (RecordingElement) -> Bool = { _ in false }

  package init(
    after: Duration, problem: SourceProblem? = nil,
    isLifted: @escaping @Sendable (RecordingElement) -> Bool = { _ in false }
  ) {
    self.after = after
    self.problem = problem
    self.isLifted = isLifted
  }
}
