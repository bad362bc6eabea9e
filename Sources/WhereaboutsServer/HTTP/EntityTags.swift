import HTTPTypes
import Hummingbird

/// The conditions of a request on the version of a resource: `If-Match` and `If-None-Match` (RFC 9110, section 13).
struct EntityTagConditions: Sendable {
  private let match: [Substring]?
  private let noneMatch: [Substring]?

  init(_ request: Request) {
    match = request.headers[.ifMatch].map(Self.tags)
    noneMatch = request.headers[.ifNoneMatch].map(Self.tags)
  }

  /// Returns whether a client that has these versions has the current one.
  ///
  /// - Parameter tag: the current version, in quotation marks.
  func isKnown(_ tag: String) -> Bool {
    noneMatch?.contains { $0 == "*" || $0 == tag || $0 == "W/" + tag } ?? false
  }

  /// Returns whether the request may change a resource.
  ///
  /// - Parameter tag: the current version, in quotation marks.
  func allowChange(of tag: String) -> Bool {
    // A weak tag never matches here.
    (match?.contains { $0 == "*" || $0 == tag } ?? true) && !isKnown(tag)
  }

  private static func tags(_ field: String) -> [Substring] {
    field.split(separator: ",").map { $0.drop { $0 == " " }.trimmingSuffix { $0 == " " } }
  }
}

extension Substring {
  fileprivate func trimmingSuffix(while predicate: (Character) -> Bool) -> Substring {
    var text = self
    while let last = text.last, predicate(last) { text.removeLast() }
    return text
  }
}
