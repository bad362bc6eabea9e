import Whereabouts
import WhereaboutsModel

extension SharedFences {
  /// The fences with the version of them.
  var tagged: (fences: [Fence], tag: String) { (fences, tag) }

  /// Performs a change unless the fences have changed since the client read them.
  ///
  /// - Returns: the result of the change and the new tag; `nil` without a change if the conditions don't hold.
  func change<Result: Sendable>(
    _ conditions: EntityTagConditions, _ body: @Sendable (isolated SharedFences) throws -> Result
  ) rethrows -> (result: Result, tag: String)? {
    guard conditions.allowChange(of: tag) else { return nil }
    let result = try body(self)
    return (result, tag)
  }
}
