/// The fields of one row of CSV (RFC 4180), without copies.
struct CSVFields {
  /// A field of a row.
  struct Field {
    /// The range of the field's bytes in the row, without surrounding white space and quotes.
    let range: Range<Int>
    /// The range between the quotes, with the white space in it; `nil` for a field without quotes.
    var quotedRange: Range<Int>?
    /// Whether its quotes are closed and nothing follows them.
    var isWellFormed = true
  }

  private let row: UnsafeRawBufferPointer
  private let separator: UInt8
  /// The offset of the next field; past the end after the last.
  private var position = 0

  init(_ row: UnsafeRawBufferPointer, separator: UInt8) {
    self.row = row
    self.separator = separator
  }

  /// Returns the next field, or `nil` after the last one.
  mutating func next() -> Field? {
    guard position <= row.count else { return nil }
    if let quoted = quotedField() { return quoted }
    let start = position
    while position < row.count, row[position] != separator { position += 1 }
    let end = position
    position += 1
    return Field(range: trimmed(start..<end))
  }

  /// Returns a quoted field, up to the closing quote; bytes between that quote and the separator are skipped.
  ///
  /// Doubled quotes within stay doubled; the readers of names and of coordinates expect them.
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
    return Field(
      range: trimmed(start + 1..<end), quotedRange: start + 1..<end, isWellFormed: extra == 1)
  }

  private func trimmed(_ range: Range<Int>) -> Range<Int> {
    var start = range.lowerBound
    var end = range.upperBound
    while start < end, row[start] == 0x20 || row[start] == 0x09 { start += 1 }
    while end > start, row[end - 1] == 0x20 || row[end - 1] == 0x09 { end -= 1 }
    return start..<end
  }

  /// Returns the separator that a line such as `sep=;` states; `nil` for any other line.
  ///
  /// Excel reads and writes such a line before the header.
  static func declaredSeparator(_ line: UnsafeRawBufferPointer) -> UInt8? {
    var text = line[...]
    if text.first == UInt8(ascii: "\""), text.last == UInt8(ascii: "\""), text.count > 1 {
      text = text.dropFirst().dropLast()
    }
    let name = text.prefix(4).map { $0 | 0x20 }
    guard text.count == 5, name.elementsEqual("sep=".utf8.map { $0 | 0x20 }) else { return nil }
    return text.last
  }

  /// Returns the separator of a row: that of the header, or in a row with fewer of it, another separator that yields as
  /// many fields.
  static func separator(of row: UnsafeRawBufferPointer, header count: Int, _ separator: UInt8) -> UInt8 {
    var found = 0
    for byte in row where byte == separator { found += 1 }
    // A decimal comma is no separator.
    guard found < count - 1 else { return separator }
    let others = [UInt8(ascii: ","), UInt8(ascii: ";"), UInt8(ascii: "\t")].filter { $0 != separator }
    return others.first { CSVFields.count(of: row, separator: $0) == count } ?? separator
  }

  /// Returns the number of fields of a row.
  static func count(of row: UnsafeRawBufferPointer, separator: UInt8) -> Int {
    var fields = CSVFields(row, separator: separator)
    var count = 0
    while fields.next() != nil { count += 1 }
    return count
  }

  /// Returns the separator of a header: the most frequent of comma, semicolon and tab.
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
