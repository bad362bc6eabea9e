#if os(Linux)
  import CExpat

  /// The attributes of an element: names and values in turn, ended by a null.
  struct XMLAttributes {
    let pairs: UnsafeMutablePointer<UnsafePointer<CChar>?>?

    /// Calls the closure with the value of an attribute; returns `nil` if the attribute is absent.
    func withValue<Result>(
      of name: StaticString, _ body: (UnsafeRawBufferPointer) -> Result
    ) -> Result? {
      guard var pair = pairs else { return nil }
      while let key = pair[0], let value = pair[1] {
        if key.hasLocalName(name) {
          return body(UnsafeRawBufferPointer(start: value, count: value.terminated.count - 1))
        }
        pair += 2
      }
      return nil
    }
  }

  /// The position of a parser in the recording, computed on demand.
  struct XMLCursor {
    let parser: XML_Parser
    let base: (offset: Int, line: Int)

    /// The line, counted from 1.
    var line: Int { base.line + Int(XML_GetCurrentLineNumber(parser)) - 1 }
    /// The byte, counted from 0.
    var byteOffset: Int { base.offset + byteIndex }
    /// The byte, counted from the parser's own beginning.
    var byteIndex: Int { max(0, Int(XML_GetCurrentByteIndex(parser))) }
  }

  extension UnsafePointer<CChar> {
    /// The bytes up to and with the null that ends them.
    var terminated: UnsafeBufferPointer<CChar> {
      var count = 0
      while self[count] != 0 { count += 1 }
      return UnsafeBufferPointer(start: self, count: count + 1)
    }

    /// Returns whether this is a name, without the prefix of its namespace.
    func hasLocalName(_ name: StaticString) -> Bool {
      // Most have no prefix. The null differs from each byte of the name, so nothing after it is read.
      var index = 0
      while index < name.utf8CodeUnitCount, UInt8(bitPattern: self[index]) == name.utf8Start[index] {
        index &+= 1
      }
      return index == name.utf8CodeUnitCount && self[index] == 0 || localName.equals(name)
    }

    /// A name without the prefix of its namespace.
    var localName: UnsafeRawBufferPointer {
      var start = 0
      var end = 0
      while true {
        let byte = UInt8(bitPattern: self[end])
        // One comparison for nearly all: letters come after the colon.
        if byte <= UInt8(ascii: ":") {
          if byte == 0 { break }
          if byte == UInt8(ascii: ":") { start = end &+ 1 }
        }
        end &+= 1
      }
      return UnsafeRawBufferPointer(start: self + start, count: end - start)
    }
  }
#endif
