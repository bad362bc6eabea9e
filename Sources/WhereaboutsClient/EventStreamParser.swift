/// A parser of server-sent events, for parts of any size.
struct EventStreamParser {
  /// An event with its type and its data.
  struct Event: Equatable {
    var type: String
    var data: [UInt8]
  }

  /// The greatest number of bytes of an event; a longer one is left out.
  private static let largestEvent = 1 << 20

  private var line: [UInt8] = []
  private var type = ""
  private var data: [UInt8] = []
  private var isTooLong = false
  private var endsWithReturn = false

  /// Returns the events that a part completes.
  mutating func parse(_ part: some Sequence<UInt8>) -> [Event] {
    var events: [Event] = []
    for byte in part {
      // A line ends with CR, LF or both.
      if byte == UInt8(ascii: "\n"), endsWithReturn {
        endsWithReturn = false
        continue
      }
      endsWithReturn = byte == UInt8(ascii: "\r")
      if endsWithReturn || byte == UInt8(ascii: "\n") {
        if let event = endLine() { events.append(event) }
      } else if line.count + data.count < Self.largestEvent {
        line.append(byte)
      } else {
        isTooLong = true
      }
    }
    return events
  }

  /// Ends a line, and with an empty line the event.
  private mutating func endLine() -> Event? {
    defer { line.removeAll(keepingCapacity: true) }
    guard line.isEmpty else {
      readField()
      return nil
    }
    defer {
      type = ""
      data = []
      isTooLong = false
    }
    return data.isEmpty || isTooLong ? nil : Event(type: type, data: data)
  }

  private mutating func readField() {
    guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else { return }
    var value = line[(colon + 1)...]
    if value.first == UInt8(ascii: " ") { value = value.dropFirst() }
    switch String(decoding: line[..<colon], as: UTF8.self) {
    case "event": type = String(decoding: value, as: UTF8.self)
    case "data":
      if !data.isEmpty { data.append(UInt8(ascii: "\n")) }
      data += value
    default: break
    }
  }
}
