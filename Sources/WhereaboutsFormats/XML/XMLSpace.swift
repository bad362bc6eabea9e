extension UnsafeRawBufferPointer {
  /// The bytes without the white space of XML around them.
  var trimmed: UnsafeRawBufferPointer {
    var start = 0
    var end = count
    while start < end, self[start].isXMLSpace { start += 1 }
    while end > start, self[end - 1].isXMLSpace { end -= 1 }
    return UnsafeRawBufferPointer(rebasing: self[start..<end])
  }
}

extension Slice<UnsafeRawBufferPointer> {
  var trimmed: UnsafeRawBufferPointer { UnsafeRawBufferPointer(rebasing: self).trimmed }
}

extension UInt8 {
  /// Whether this is white space to XML: space, tab, line feed or carriage return.
  var isXMLSpace: Bool { self == 0x20 || self == 0x09 || self == 0x0A || self == 0x0D }
}
