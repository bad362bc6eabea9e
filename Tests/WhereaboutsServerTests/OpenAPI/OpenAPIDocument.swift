import Foundation
import WhereaboutsModel

/// A parsed OpenAPI document.
struct OpenAPIDocument: Sendable {
  let root: JSONValue

  init(_ bytes: [UInt8]) throws { root = try JSONDecoder().decode(JSONValue.self, from: Data(bytes)) }

  /// One path with one method.
  struct Operation: Sendable, Hashable, CustomStringConvertible {
    var method: String
    var path: String
    var description: String { "\(method) \(path)" }
  }

  /// Every operation.
  var operations: [Operation] {
    (root["paths"]?.members ?? [:]).flatMap { path, item in
      (item.members ?? [:]).keys.map { Operation(method: $0.uppercased(), path: path) }
    }.sorted { $0.description < $1.description }
  }

  /// Returns the description of an operation's response.
  func response(_ operation: Operation, status: Int) throws -> JSONValue? {
    let item = root["paths"]?[operation.path]?[operation.method.lowercased()]
    return try item?["responses"]?[String(status)].map(resolved)
  }

  /// Follows references.
  func resolved(_ value: JSONValue) throws -> JSONValue {
    guard case .string(let reference)? = value["$ref"] else { return value }
    var place: JSONValue? = root
    for name in reference.split(separator: "/").dropFirst() { place = place?[String(name)] }
    guard let place else { throw ReferenceError(reference: reference) }
    return try resolved(place)
  }

  struct ReferenceError: Error { var reference: String }
}

extension JSONValue {
  var members: [String: JSONValue]? { if case .object(let members) = self { members } else { nil } }
  var elements: [JSONValue]? { if case .array(let elements) = self { elements } else { nil } }
  var text: String? { if case .string(let text) = self { text } else { nil } }
  var double: Double? { if case .number(let number) = self { number } else { nil } }

  subscript(_ name: String) -> JSONValue? { members?[name] }
}
