import Foundation

/// The results of a run.
public struct SoakReport: Sendable {
  /// The violations; empty for a good run.
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

  /// The growth of memory from the second to the last third of the days, in bytes, by the medians of those
  /// days; 0 for fewer than ``judgedDays``, of which nothing can be said.
  public var growth: Int {
    guard memory.count >= Self.judgedDays else { return 0 }
    let third = memory.count / 3
    return Self.median(memory.suffix(third)) - Self.median(memory.dropFirst(third).prefix(third))
  }

  /// The minimum number of days for a judgement of growth.
  public static let judgedDays = 6

  /// So much growth is the allocator's and the system's affair, in bytes.
  public static let growthLimit = 2 << 20

  /// Everything that makes a run fail: the violations, and memory that grows.
  public var failures: [String] {
    guard growth > Self.growthLimit else { return violations }
    return violations + [
      "memory grew by \(growth / 1024) KiB from the middle of the days to their end, more than \(Self.growthLimit / 1024) KiB"
    ]
  }

  private static func median(_ values: ArraySlice<Int>) -> Int {
    let sorted = values.sorted()
    return sorted[sorted.count / 2]
  }
}
