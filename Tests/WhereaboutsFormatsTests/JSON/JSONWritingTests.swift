import Testing
import WhereaboutsModel

@testable import WhereaboutsFormats

@Suite struct JSONWritingTests {
  private func text(_ write: (inout [UInt8]) -> Void) -> String {
    var bytes: [UInt8] = []
    write(&bytes)
    return String(decoding: bytes, as: UTF8.self)
  }

  @Test func numberThatJSONLacksIsNullOrText() {
    let value = JSONValue.array([.number(.nan), .number(.infinity), .number(-.infinity), .number(-0.0)])
    #expect(text { $0.appendJSON(value, .plain) } == "[null,null,null,-0]")
    #expect(text { $0.appendJSON(value, .exact) } == #"["nan","inf","-inf",-0]"#)
    #expect(text { $0.appendJSONMember("x", ifFinite: .nan) } == "")
  }

  @Test func membersStandInTheOrderOfTheirNames() {
    let value = JSONValue.object(["b": .bool(true), "a": .object([:]), "c": .array([]), "\"": .null])
    #expect(text { $0.appendJSON(value, .plain) } == #"{"\"":null,"a":{},"b":true,"c":[]}"#)
  }

  @Test func controlCharactersAreEscaped() {
    #expect(text { $0.appendJSONString("a\"\\/\n\r\t\u{1}\u{1F}ü") } == #""a\"\\/\n\r\t\u0001\u001fü""#)
  }
}
