extension UnsafeRawBufferPointer {
  /// Returns the degrees of a coordinate in degrees and minutes, with a hemisphere, or both, as in `51°28'40.1"N`,
  /// `N51 28.668` and `51.4778 N`; `nil` for any other text.
  ///
  /// - Minutes and seconds are below 60, and only the last number has decimals, after a point or a comma.
  /// - Without a letter of the hemisphere, only the sign `°` shows that a text of several numbers is one coordinate.
  /// - A letter and a minus contradict each other. `O` is refused: it is east in German and west in French.
  ///
  /// - Parameter letters: the letters of the positive and the negative hemisphere.
  func degrees(letters: (positive: Character, negative: Character)) -> Double? {
    guard count <= 64 else { return nil }
    var text = CSVAngleText(String(decoding: self, as: UTF8.self).uppercased())
    var hemisphere = text.removeLetter(letters, atStart: true)
    if hemisphere == nil { hemisphere = text.removeLetter(letters, atStart: false) }
    let sign = text.removeSign()
    guard hemisphere == nil || sign != -1, let angle = text.angle() else { return nil }
    guard hemisphere != nil || text.hasDegreeSign else { return nil }
    return angle * Double(hemisphere ?? sign ?? 1)
  }
}

/// The text of a coordinate while it is read.
private struct CSVAngleText {
  private var rest: Substring
  private(set) var hasDegreeSign = false

  /// The signs after the degrees, the minutes and the seconds. A degree sign in another encoding is U+FFFD; a quote
  /// within quotes is doubled. Tools for photos write `deg`, as in `51 deg 28' 40.10" N`.
  private static let signs: [Set<String>] = [
    ["°", "º", "˚", "\u{FFFD}", "DEG"], ["'", "′", "’", "´"],
    ["\"", "\"\"", "″", "”", "''", "′′", "’’", "´´"],
  ]

  init(_ text: String) {
    rest = text[...]
    trim()
  }

  private mutating func trim() {
    while rest.first?.isWhitespace == true { rest.removeFirst() }
    while rest.last?.isWhitespace == true { rest.removeLast() }
  }

  /// Removes the letter of a hemisphere; returns its sign, or `nil` if there is none.
  mutating func removeLetter(_ letters: (positive: Character, negative: Character), atStart: Bool) -> Int? {
    let letter = atStart ? rest.first : rest.last
    guard letter == letters.positive || letter == letters.negative else { return nil }
    if atStart { rest.removeFirst() } else { rest.removeLast() }
    trim()
    return letter == letters.positive ? 1 : -1
  }

  /// Removes a plus or a minus; returns the sign, or `nil` if there is none.
  mutating func removeSign() -> Int? {
    switch rest.first {
    case "+": rest.removeFirst()
    case "-", "\u{2212}":
      rest.removeFirst()
      return -1
    default: return nil
    }
    return 1
  }

  /// Returns one to three numbers as degrees, minutes and seconds; `nil` if they are none.
  mutating func angle() -> Double? {
    var parts: [Double] = []
    while !rest.isEmpty {
      guard parts.count < 3, let number = removeNumber(), parts.isEmpty || number < 60,
        removeSeparator(after: parts.count)
      else { return nil }
      parts.append(number)
    }
    guard let degrees = parts.first, parts.dropLast().allSatisfy({ $0 == $0.rounded() }) else { return nil }
    let minutes = parts.count > 1 ? parts[1] : 0
    let seconds = parts.count > 2 ? parts[2] : 0
    return degrees + (minutes + seconds / 60) / 60
  }

  private mutating func removeNumber() -> Double? {
    let digits = rest.prefix { ($0.isASCII && $0.isNumber) || $0 == "." || $0 == "," }
    rest = rest.dropFirst(digits.count)
    var text = String(digits.map { $0 == "," ? "." : $0 })
    return text.withUTF8 { Decimal.parse(UnsafeRawBufferPointer($0)) }
  }

  /// Removes the sign or the spaces after a number; returns `false` if the text goes on in another way.
  private mutating func removeSeparator(after index: Int) -> Bool {
    let separator = rest.prefix { !($0.isASCII && $0.isNumber) }
    rest = rest.dropFirst(separator.count)
    let sign = String(separator.filter { !$0.isWhitespace })
    if index == 0, Self.signs[0].contains(sign) { hasDegreeSign = true }
    if Self.signs[index].contains(sign) || (sign == ":" && !rest.isEmpty) { return true }
    // At the end, and between numbers, spaces are enough.
    return sign.isEmpty && (rest.isEmpty || !separator.isEmpty)
  }
}
