import Foundation

/// What came of a run.
public struct SoakReport: Sendable {
  /// What must not be and was; empty where all is well.
  public var violations: [String] = []
  /// The memory that the process held resident at the end of each day, in bytes; 0 where that is not known.
  public var memory: [Int] = []
  /// Figures, each with its name.
  public var figures: [(name: String, value: String)] = []

  /// The memory of now, in bytes; 0 where the system does not tell.
  static func residentMemory() -> Int {
    guard let text = try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8) else { return 0 }
    let pages = text.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
    return pages * Int(getpagesize())
  }

  /// How much more memory there was at the end of the last third than at the end of the first, in bytes, by the medians of
  /// those days.
  public var growth: Int {
    guard memory.count >= 6 else { return 0 }
    let third = memory.count / 3
    return Self.median(memory.suffix(third)) - Self.median(memory.dropFirst(third).prefix(third))
  }

  private static func median(_ values: ArraySlice<Int>) -> Int {
    let sorted = values.sorted()
    return sorted[sorted.count / 2]
  }
}
