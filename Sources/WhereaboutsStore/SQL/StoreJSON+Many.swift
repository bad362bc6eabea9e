import Dispatch
import Foundation
import WhereaboutsModel

extension StoreJSON {
  /// The number of texts that are decoded at once: enough to make the cost of a task small, and that of decoding the
  /// terms that fences of a part share.
  private static let textsPerPart = 2_000

  /// Decodes the texts of many fences on all processors.
  ///
  /// - Returns: the fences in the order of the texts.
  static func fences(_ texts: [String]) throws -> [Fence] {
    let starts = Array(stride(from: 0, to: texts.count, by: textsPerPart))
    let parts = DecodedParts<Fence>(count: starts.count)
    DispatchQueue.concurrentPerform(iterations: starts.count) { part in
      let range = starts[part]..<min(starts[part] + textsPerPart, texts.count)
      parts.set(
        Result {
          var decoder = FenceTextDecoder()
          return try texts[range].map { try decoder.fence($0) }
        }, at: part)
    }
    return try parts.values()
  }
}

/// The results of tasks that decode at the same time. Unchecked: `lock` guards `results`.
private final class DecodedParts<Value: Sendable>: @unchecked Sendable {
  private let lock = NSLock()
  private var results: [Result<[Value], any Error>]

  init(count: Int) { results = Array(repeating: .success([]), count: count) }

  func set(_ result: Result<[Value], any Error>, at part: Int) { lock.withLock { results[part] = result } }

  func values() throws -> [Value] {
    try lock.withLock {
      let parts = try results.map { try $0.get() }
      var all: [Value] = []
      all.reserveCapacity(parts.reduce(0) { $0 + $1.count })
      for part in parts { all += part }
      return all
    }
  }
}
