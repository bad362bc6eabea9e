import Foundation
import WhereaboutsModel

/// The check of a value against a JSON Schema. It knows the keywords that the documents use, and refuses others.
struct SchemaValidator {
  private static let annotations: Set<String> = ["description", "example", "default", "title"]

  let document: OpenAPIDocument

  struct UnknownKeyword: Error { var name: String }

  /// Returns the problems of a value; empty if it fits.
  func problems(of value: JSONValue, _ schema: JSONValue, at place: String = "$") throws -> [String] {
    let schema = try document.resolved(schema)
    return try (schema.members ?? [:]).flatMap { keyword, term in
      try problems(of: value, keyword, term, in: schema, at: place)
    }
  }

  private func problems(
    of value: JSONValue, _ keyword: String, _ term: JSONValue, in schema: JSONValue, at place: String
  ) throws -> [String] {
    func unless(_ isValid: Bool) -> [String] { isValid ? [] : ["\(place): \(keyword) \(term) on \(value)"] }
    switch keyword {
    case "type": return unless(typeNames(term).contains { value.isOf(type: $0) })
    case "enum": return unless(term.elements?.contains(value) ?? false)
    case "const": return unless(term == value)
    case "minimum": return unless(compare(value, term, >=))
    case "maximum": return unless(compare(value, term, <=))
    case "exclusiveMinimum": return unless(compare(value, term, >))
    case "minLength": return unless(compare(.number(Double(value.text?.count ?? .max)), term, >=))
    case "maxLength": return unless(compare(.number(Double(value.text?.count ?? 0)), term, <=))
    case "minItems": return unless(compare(.number(Double(value.elements?.count ?? .max)), term, >=))
    case "maxItems": return unless(compare(.number(Double(value.elements?.count ?? 0)), term, <=))
    case "format": return unless(value.text.map { isValid($0, format: term.text) } ?? true)
    case "pattern":
      return unless(value.text?.range(of: term.text ?? "", options: .regularExpression) != nil)
    case "required":
      let missing = (term.elements ?? []).compactMap(\.text).filter { value.members?[$0] == nil }
      return value.members == nil ? [] : missing.map { "\(place): \($0) is missing" }
    case "properties":
      return try (term.members ?? [:]).flatMap { name, schema in
        try value[name].map { try problems(of: $0, schema, at: "\(place).\(name)") } ?? []
      }
    case "items":
      return try (value.elements ?? []).enumerated().flatMap { index, element in
        try problems(of: element, term, at: "\(place)[\(index)]")
      }
    case "allOf": return try (term.elements ?? []).flatMap { try problems(of: value, $0, at: place) }
    case "anyOf":
      return unless(try term.elements?.contains { try problems(of: value, $0, at: place).isEmpty } ?? false)
    default:
      guard Self.annotations.contains(keyword) else { throw UnknownKeyword(name: keyword) }
      return []
    }
  }

  private func typeNames(_ term: JSONValue) -> [String] {
    term.text.map { [$0] } ?? (term.elements ?? []).compactMap(\.text)
  }

  /// Compares numbers; anything else fits.
  private func compare(_ value: JSONValue, _ term: JSONValue, _ isOrdered: (Double, Double) -> Bool) -> Bool {
    guard let left = value.double, let right = term.double else { return true }
    return isOrdered(left, right)
  }

  private func isValid(_ text: String, format: String?) -> Bool {
    format != "date-time" || UTCTime(iso8601: text) != nil
  }
}

extension JSONValue {
  /// Whether the value is of a type of JSON Schema.
  fileprivate func isOf(type: String) -> Bool {
    switch (self, type) {
    case (.null, "null"), (.bool, "boolean"), (.number, "number"), (.string, "string"), (.array, "array"),
      (.object, "object"):
      true
    case (.number(let number), "integer"): number == number.rounded()
    default: false
    }
  }
}
