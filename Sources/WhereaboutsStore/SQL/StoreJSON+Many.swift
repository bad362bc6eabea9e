import Dispatch
import Foundation
import GRDB

extension StoreJSON {
  /// The number of texts that are decoded at once: enough to make the cost of a decoder small.
  private static let textsPerPart = 500

  /// Decodes many texts on all processors.
  ///
  /// - Returns: the values in the order of the texts.
  static func decode<Value: Decodable & Sendable>(
    _ type: Value.Type, fromEach texts: [String]
  ) throws -> [Value] {
    let starts = Array(stride(from: 0, to: texts.count, by: textsPerPart))
    let parts = DecodedParts<Value>(count: starts.count)
    DispatchQueue.concurrentPerform(iterations: starts.count) { part in
      let range = starts[part]..<min(starts[part] + textsPerPart, texts.count)
      let list = "[\(texts[range].joined(separator: ","))]"
      parts.set(
        Result {
          let values = try decode([Value].self, from: list)
          // A damaged text may hold none or two.
          guard values.count == range.count else { throw DatabaseError(resultCode: .SQLITE_CORRUPT) }
          return values
        }, at: part)
    }
    return try parts.values()
  }
}

/// The results of tasks that decode at the same time. `lock` guards `results`.
private final class DecodedParts<Value: Sendable>: @unchecked Sendable {
  private let lock = NSLock()
  private var results: [Result<[Value], any Error>]

  init(count: Int) { results = Array(repeating: .success([]), count: count) }

  func set(_ result: Result<[Value], any Error>, at part: Int) { lock.withLock { results[part] = result } }

  func values() throws -> [Value] { try lock.withLock { try results.flatMap { try $0.get() } } }
}
