public import WhereaboutsCore

/// What a file of fences holds.
public struct FenceFile: Hashable, Sendable {
  /// What the file is; `nil` where it is nothing that fences are read from.
  public var format: FenceFileFormat?
  /// The fences, in the file's order, each with an id of its own.
  public var fences: [Fence]
  /// What could not be taken, in the file's order.
  public var problems: [FenceFileProblem]

  /// What a file holds.
  public init(format: FenceFileFormat?, fences: [Fence] = [], problems: [FenceFileProblem] = []) {
    self.format = format
    self.fences = fences
    self.problems = problems
  }
}
