import Testing

@testable import WhereaboutsClient

@Suite struct EventStreamParserTests {
  private static let text = """
    : whereabouts

    id: 1
    event: fix
    data: {"lat":1}

    :

    event:crossing\r
    data: a\r
    data:b\r
    \r
    data

    event: fix
    data: rest
    """

  @Test(arguments: 1...9) func partsMayEndAnywhere(size: Int) {
    var parser = EventStreamParser(), events: [EventStreamParser.Event] = []
    let bytes = Array(Self.text.utf8)
    for start in stride(from: 0, to: bytes.count, by: size) {
      events += parser.parse(bytes[start..<min(start + size, bytes.count)])
    }
    // The last event has no end yet.
    #expect(events.map(\.type) == ["fix", "crossing"])
    #expect(events.map { String(decoding: $0.data, as: UTF8.self) } == ["{\"lat\":1}", "a\nb"])
  }

  @Test func endlessEventUsesBoundedMemory() {
    var parser = EventStreamParser()
    var events = parser.parse(Array("data: ".utf8))
    for _ in 0..<20 { events += parser.parse([UInt8](repeating: UInt8(ascii: "x"), count: 1 << 17)) }
    events += parser.parse(Array("\n\ndata: next\n\n".utf8))
    #expect(events.map { String(decoding: $0.data, as: UTF8.self) } == ["next"])
  }
}
