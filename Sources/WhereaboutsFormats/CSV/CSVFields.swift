/// Goes through the fields of one row of CSV (RFC 4180), without copying them.
struct CSVFields {
  /// One field of a row.
  struct Field {
    /// Where its bytes stand in the row: without white space around them, and without quotes.
    let range: Range<Int>
    /// Whether its quotes are closed and nothing follows them.
    var isWellFormed = true
  }

  private let row: UnsafeRawBufferPointer
  private let separator: UInt8
  /// Where the next field begins; past the end when there is none.
  private var position = 0

  init(_ row: UnsafeRawBufferPointer, separator: UInt8) {
    self.row = row
    self.separator = separator
  }

  /// The next field, or `nil` after the last one.
  mutating func next() -> Field? {
    guard position <= row.count else { return nil }
    if let quoted = quotedField() { return quoted }
    let start = position
    while position < row.count, row[position] != separator { position += 1 }
    let end = position
    position += 1
    return Field(range: trimmed(start..<end))
  }

  /// A field that begins with a quote, up to the one that closes it; what stands between that and the separator is
  /// passed over.
  ///
  /// Doubled quotes within stay doubled: nothing that is read here has quotes in it.
  private mutating func quotedField() -> Field? {
    var start = position
    while start < row.count, row[start] == 0x20 { start += 1 }
    guard start < row.count, row[start] == UInt8(ascii: "\"") else { return nil }
    var end = start + 1
    while end < row.count {
      if row[end] == UInt8(ascii: "\"") {
        guard end + 1 < row.count, row[end + 1] == UInt8(ascii: "\"") else { break }
        end += 1
      }
      end += 1
    }
    end = min(end, row.count)
    position = end
    var extra = 0
    while position < row.count, row[position] != separator {
      if row[position] != 0x20 { extra += 1 }
      position += 1
    }
    position += 1
    // The one byte is the closing quote.
    return Field(range: trimmed(start + 1..<end), isWellFormed: extra == 1)
  }

  private func trimmed(_ range: Range<Int>) -> Range<Int> {
    var start = range.lowerBound
    var end = range.upperBound
    while start < end, row[start] == 0x20 || row[start] == 0x09 { start += 1 }
    while end > start, row[end - 1] == 0x20 || row[end - 1] == 0x09 { end -= 1 }
    return start..<end
  }

  /// What a line such as `sep=;` says that separates the fields; `nil` for any other line.
  ///
  /// Excel reads and writes it before the header.
  static func declaredSeparator(_ line: UnsafeRawBufferPointer) -> UInt8? {
    var text = line[...]
    if text.first == UInt8(ascii: "\""), text.last == UInt8(ascii: "\""), text.count > 1 {
      text = text.dropFirst().dropLast()
    }
    let name = text.prefix(4).map { $0 | 0x20 }
    guard text.count == 5, name.elementsEqual("sep=".utf8.map { $0 | 0x20 }) else { return nil }
    return text.last
  }

  /// What separates the fields of a header: the one of comma, semicolon and tab that stands in it most often.
  static func separator(of header: UnsafeRawBufferPointer) -> UInt8 {
    var best = (separator: UInt8(ascii: ","), count: 0)
    for separator in [UInt8(ascii: ","), UInt8(ascii: ";"), UInt8(ascii: "\t")] {
      var isQuoted = false
      var count = 0
      for byte in header {
        if byte == UInt8(ascii: "\"") { isQuoted.toggle() }
        if byte == separator, !isQuoted { count += 1 }
      }
      if count > best.count { best = (separator, count) }
    }
    return best.separator
  }
}
