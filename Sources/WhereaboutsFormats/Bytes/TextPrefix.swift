extension UnsafeRawBufferPointer {
  /// Returns the beginning of UTF-8 text, at most so many bytes, up to the end of a character.
  func textPrefix(_ limit: Int) -> UnsafeRawBufferPointer {
    var end = Swift.min(count, limit)
    // A continuation byte can't begin the part that is cut off.
    while end < count, end > 0, self[end] & 0xC0 == 0x80 { end -= 1 }
    return UnsafeRawBufferPointer(rebasing: self[..<end])
  }
}
