public import WhereaboutsModel

/// The content of a file of fences.
public struct FenceFile: Hashable, Sendable {
  /// The file's format; `nil` if the file is no format of fences.
  public var format: FenceFileFormat?
  /// The fences, in the file's order, each with an id of its own.
  public var fences: [Fence]
  /// The problems, in the file's order.
  public var problems: [FenceFileProblem]

  /// Creates the content of a file.
  public init(format: FenceFileFormat?, fences: [Fence] = [], problems: [FenceFileProblem] = []) {
    self.format = format
    self.fences = fences
    self.problems = problems
  }
}
