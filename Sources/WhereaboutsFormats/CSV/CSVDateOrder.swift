import WhereaboutsModel

/// The order of the day and the month in dates such as `11/28/2026`.
enum CSVDateOrder: Sendable {
  case dayFirst, monthFirst
}

/// The numbers before the year in dates such as `11/28/2026` or `28-11-2026`: the day and the month in either order.
struct CSVDayAndMonth {
  let first, second: Int

  /// The order that the numbers allow alone; `nil` if both are possible, and for no date.
  var statedOrder: CSVDateOrder? {
    switch (first, second) {
    case (1...12, 13...31): .monthFirst
    case (13...31, 1...12): .dayFirst
    default: nil
    }
  }

  /// The order with which the date can be read: either one if both state the same date.
  var order: CSVDateOrder? { first == second ? .monthFirst : statedOrder }

  /// Whether both orders are possible, and state different dates.
  var isAmbiguous: Bool { first != second && 1...12 ~= first && 1...12 ~= second }

  /// Creates the numbers of a text that begins with such a date; `nil` for any other text.
  init?(_ text: UnsafeRawBufferPointer) {
    // Nearly all texts are other ones.
    guard text.count >= 8, text[1].isSlashOrHyphen || text[2].isSlashOrHyphen else { return nil }
    let parts = text.prefix { $0.asciiDigit != nil || $0.isSlashOrHyphen }
      .split(maxSplits: 3, omittingEmptySubsequences: false) { $0.isSlashOrHyphen }
    guard parts.count == 3, parts[2].count == 4,
      text[parts[0].endIndex - text.startIndex] == text[parts[1].endIndex - text.startIndex]
    else { return nil }
    let numbers = parts[..<2].compactMap { $0.count < 3 ? Decimal.parse(.init(rebasing: $0)) : nil }
      .map { Int($0) }
    guard numbers.count == 2 else { return nil }
    (first, second) = (numbers[0], numbers[1])
  }
}

extension UInt8 {
  fileprivate var isSlashOrHyphen: Bool { self == UInt8(ascii: "/") || self == UInt8(ascii: "-") }
}

extension UnsafeRawBufferPointer {
  /// The text with the hour of 24, where it ends with a time of day of 12 hours and `AM` or `PM`, also before a zone, as
  /// in `11/28/2026 3:05:07 PM` and `3:05 p.m. +0200`; `nil` for any other text.
  var in24Hours: [UInt8]? {
    // Nearly all texts are other ones.
    guard count <= 64, contains(where: { $0 | 0x20 == UInt8(ascii: "m") }),
      let colon = firstIndex(of: UInt8(ascii: ":"))
    else { return nil }
    var hourStart = colon
    while hourStart > 0, self[hourStart - 1].asciiDigit != nil { hourStart -= 1 }
    let digits = UnsafeRawBufferPointer(rebasing: self[hourStart..<colon])
    guard digits.count <= 2, let hour = Decimal.parse(digits).map({ Int($0) }), 1...12 ~= hour else {
      return nil
    }
    let rest = self[colon...]
    let minutes = rest.prefix { $0.asciiDigit != nil || $0 == UInt8(ascii: ":") || $0 == UInt8(ascii: ".") }
    guard let (isAfternoon, end) = Self.halfOfDay(rest[minutes.endIndex...]) else { return nil }
    var text = Array(self[..<hourStart])
    text.appendDigits(hour % 12 + (isAfternoon ? 12 : 0), count: 2)
    return text + minutes + self[end...]
  }

  /// Returns whether a text begins with `PM` instead of `AM`, and the end of the word; `nil` for any other text.
  private static func halfOfDay(
    _ text: Slice<UnsafeRawBufferPointer>
  ) -> (isAfternoon: Bool, end: Int)? {
    var word = text
    // Also the spaces without a line break that programs write before the word: U+00A0 and U+202F.
    for space in [[0x20], [0xC2, 0xA0], [0xE2, 0x80, 0xAF]] as [[UInt8]] where word.starts(with: space) {
      word = word.dropFirst(space.count)
      break
    }
    guard let letter = word.first.map({ $0 | 0x20 }),
      letter == UInt8(ascii: "a") || letter == UInt8(ascii: "p")
    else { return nil }
    word = word.dropFirst()
    let hasDots = word.first == UInt8(ascii: ".")
    if hasDots { word = word.dropFirst() }
    guard let m = word.popFirst(), m | 0x20 == UInt8(ascii: "m") else { return nil }
    if hasDots, word.popFirst() != UInt8(ascii: ".") { return nil }
    // A zone may follow.
    guard word.first.map({ [0x20, UInt8(ascii: "+"), UInt8(ascii: "-")].contains($0) }) ?? true else {
      return nil
    }
    return (letter == UInt8(ascii: "p"), word.startIndex)
  }
}
