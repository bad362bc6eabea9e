#if GeoClue && os(Linux)
  import CSDBus

  /// Functions that write values into a message of sd-bus, and read them from one.
  ///
  /// A message belongs to the thread of its connection.
  package enum BusMessage {
    private static let maxDepth = 16

    private static func code(_ character: Character) -> CChar {
      CChar(bitPattern: character.asciiValue ?? 0)
    }

    /// Appends values.
    ///
    /// - Returns: the library's result: negative if a value could not be written.
    package static func append(_ values: [BusValue], to message: OpaquePointer) -> CInt {
      for value in values {
        let result = append(value, to: message)
        guard result >= 0 else { return result }
      }
      return 0
    }

    private static func append(_ value: BusValue, to message: OpaquePointer) -> CInt {
      switch value {
      case .bool(let flag):
        var number: CInt = flag ? 1 : 0
        return sd_bus_message_append_basic(message, code("b"), &number)
      case .uint32(var number): return sd_bus_message_append_basic(message, code("u"), &number)
      case .uint64(var number): return sd_bus_message_append_basic(message, code("t"), &number)
      case .double(var number): return sd_bus_message_append_basic(message, code("d"), &number)
      case .text(let text): return text.withCString { sd_bus_message_append_basic(message, code("s"), $0) }
      case .path(let path): return path.withCString { sd_bus_message_append_basic(message, code("o"), $0) }
      case .array(let element, let values): return append(values, in: "a", element, to: message)
      case .structure(let members):
        return append(members, in: "r", BusValue.joinedSignature(members), to: message)
      case .entry(let key, let value):
        return append([key, value], in: "e", BusValue.joinedSignature([key, value]), to: message)
      case .variant(let value): return append([value], in: "v", value.signature, to: message)
      case .other: return -1
      }
    }

    private static func append(
      _ values: [BusValue], in container: Character, _ contents: String?, to message: OpaquePointer
    ) -> CInt {
      guard let contents else { return -1 }
      let opened = sd_bus_message_open_container(message, code(container), contents)
      guard opened >= 0 else { return opened }
      let result = append(values, to: message)
      guard result >= 0 else { return result }
      return sd_bus_message_close_container(message)
    }

    /// Returns all values of a message, or those before the first unreadable one.
    package static func values(of message: OpaquePointer) -> [BusValue] {
      values(of: message, depth: 0)
    }

    private static func values(of message: OpaquePointer, depth: Int) -> [BusValue] {
      var values: [BusValue] = []
      var type: CChar = 0
      var contents: UnsafePointer<CChar>?
      while sd_bus_message_peek_type(message, &type, &contents) > 0 {
        let signature = contents.map { String(cString: $0) } ?? ""
        guard let value = read(type, signature, from: message, depth: depth) else { break }
        values.append(value)
      }
      return values
    }

    private static func read(
      _ type: CChar, _ contents: String, from message: OpaquePointer, depth: Int
    ) -> BusValue? {
      switch Character(UnicodeScalar(UInt8(bitPattern: type))) {
      case "b": number(CInt(0), type, message).map { .bool($0 != 0) }
      case "u": number(UInt32(0), type, message).map { .uint32($0) }
      case "t": number(UInt64(0), type, message).map { .uint64($0) }
      case "d": number(Double(0), type, message).map { .double($0) }
      case "s": text(type, message).map { .text($0) }
      case "o": text(type, message).map { .path($0) }
      case "a": containerValues(type, contents, message, depth).map { .array(of: contents, $0) }
      case "r": containerValues(type, contents, message, depth).map { .structure($0) }
      case "e":
        containerValues(type, contents, message, depth).flatMap { $0.count == 2 ? .entry($0[0], $0[1]) : nil }
      case "v": containerValues(type, contents, message, depth).flatMap { $0.first.map { .variant($0) } }
      default: sd_bus_message_skip(message, nil) >= 0 ? .other : nil
      }
    }

    private static func number<Number: BitwiseCopyable>(
      _ zero: Number, _ type: CChar, _ message: OpaquePointer
    ) -> Number? {
      var number = zero
      return sd_bus_message_read_basic(message, type, &number) > 0 ? number : nil
    }

    private static func text(_ type: CChar, _ message: OpaquePointer) -> String? {
      var text: UnsafePointer<CChar>?
      guard sd_bus_message_read_basic(message, type, &text) > 0 else { return nil }
      return text.map { String(cString: $0) }
    }

    private static func containerValues(
      _ type: CChar, _ contents: String, _ message: OpaquePointer, _ depth: Int
    ) -> [BusValue]? {
      guard depth < maxDepth, sd_bus_message_enter_container(message, type, contents) > 0 else { return nil }
      let values = values(of: message, depth: depth + 1)
      return sd_bus_message_exit_container(message) >= 0 ? values : nil
    }

    /// Returns the text at a pointer, empty for a null pointer.
    package static func string(_ text: UnsafePointer<CChar>?) -> String {
      text.map { String(cString: $0) } ?? ""
    }
  }
#endif
