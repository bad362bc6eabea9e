import Foundation
import Testing
import WhereaboutsModel

/// The validator of these tests can fail.
@Suite struct SchemaValidatorTests {
  struct Example: Sendable, CustomTestStringConvertible {
    let schema: String
    let value: String
    let isValid: Bool
    var testDescription: String { "\(value) as \(schema)" }
  }

  static let examples = [
    Example(schema: #"{"type":"integer"}"#, value: "1", isValid: true),
    Example(schema: #"{"type":"integer"}"#, value: "1.5", isValid: false),
    Example(schema: #"{"type":["string","number"]}"#, value: "true", isValid: false),
    Example(schema: #"{"minimum":0}"#, value: "-1", isValid: false),
    Example(schema: #"{"exclusiveMinimum":0}"#, value: "0", isValid: false),
    Example(schema: #"{"enum":["a"]}"#, value: #""b""#, isValid: false),
    Example(schema: #"{"const":"a"}"#, value: #""a""#, isValid: true),
    Example(schema: #"{"required":["a"]}"#, value: "{}", isValid: false),
    Example(schema: #"{"properties":{"a":{"type":"null"}}}"#, value: #"{"a":1}"#, isValid: false),
    Example(schema: #"{"items":{"type":"null"}}"#, value: "[null,1]", isValid: false),
    Example(schema: #"{"maxLength":1}"#, value: #""ab""#, isValid: false),
    Example(schema: #"{"minItems":2}"#, value: "[1]", isValid: false),
    Example(schema: #"{"format":"date-time"}"#, value: #""yesterday""#, isValid: false),
    Example(schema: #"{"pattern":"^[0-9]$"}"#, value: #""12""#, isValid: false),
    Example(schema: #"{"anyOf":[{"type":"null"},{"const":1}]}"#, value: "2", isValid: false),
    Example(schema: #"{"allOf":[{"type":"number"},{"const":1}]}"#, value: "1", isValid: true),
    Example(schema: ##"{"$ref":"#/a"}"##, value: "2", isValid: false),
  ]

  @Test(arguments: examples) func finds(_ example: Example) throws {
    let decoder = JSONDecoder()
    let document = try OpenAPIDocument(Array(#"{"a":{"type":"string"}}"#.utf8))
    let schema = try decoder.decode(JSONValue.self, from: Data(example.schema.utf8))
    let value = try decoder.decode(JSONValue.self, from: Data(example.value.utf8))
    #expect(try SchemaValidator(document: document).problems(of: value, schema).isEmpty == example.isValid)
  }

  @Test func unknownKeywordIsRefused() throws {
    let document = try OpenAPIDocument(Array("{}".utf8))
    #expect(throws: SchemaValidator.UnknownKeyword.self) {
      try SchemaValidator(document: document).problems(of: .null, .object(["minProperties": .number(1)]))
    }
  }
}
