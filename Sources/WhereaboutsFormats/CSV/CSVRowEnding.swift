import WhereaboutsModel

/// The form in which the last field of all rows ends, where it is a coordinate or a time: the number of decimals, or the
/// time of day as far as the same unit.
///
/// A program that writes all rows in one form does so in the last one. If that row has fewer decimals and no line feed, the
/// file ends in the middle of the number. Programs that leave out zeros at the end write different forms.
struct CSVRowEnding: Sendable {
  /// The end of a field.
  private struct Form: Equatable {
    var colons = 0
    /// The number of bytes after the last point or colon; 0 without one.
    var length = 0
  }

  /// The number of changed values from which the form is known. Among so many values without zeros at their end, one in
  /// ten would have had fewer decimals: the chance that none has is about 1 in 200.
  private static let minCount = 50

  private var form: Form?
  private var text: UInt64 = 0
  /// The number of values that differ from the one before.
  private var count = 0
  /// Whether a row has another form, or another column at its end.
  private var isVarying = false

  /// Adds a row.
  ///
  /// - Parameter column: that of the row's last field.
  mutating func add(_ row: UnsafeRawBufferPointer, column: CSVInputColumn?, separator: UInt8) {
    // An absent value has no form.
    guard !isVarying, row.last != separator else { return }
    guard column?.isOfPlaceOrTime == true else {
      isVarying = true
      return
    }
    let (form, text) = Self.form(of: row, separator: separator)
    if form != self.form ?? form || form.length == 0 { isVarying = true }
    if text != self.text { count += 1 }
    self.form = form
    self.text = text
  }

  /// Returns whether the last field of all rows is longer at its end than that of a row.
  func isLonger(than row: UnsafeRawBufferPointer, separator: UInt8) -> Bool {
    guard !isVarying, row.last != separator, count >= Self.minCount, let form else { return false }
    let last = Self.form(of: row, separator: separator).form
    return last.colons < form.colons || (last.colons == form.colons && last.length < form.length)
  }

  /// Returns the form of the last field, and a hash of its text.
  private static func form(
    of row: UnsafeRawBufferPointer, separator: UInt8
  ) -> (form: Form, text: UInt64) {
    var form = Form()
    var text: UInt64 = 0
    var end = row.count
    while end > 0, row[end - 1] != separator {
      end -= 1
      let byte = row[end]
      text = text &* 31 &+ UInt64(byte)
      let isColon = byte == UInt8(ascii: ":")
      // The separator is no decimal comma.
      let isPoint = byte == UInt8(ascii: ".") || byte == UInt8(ascii: ",")
      if form.length == 0, isColon || isPoint { form.length = row.count - 1 - end }
      if isColon { form.colons += 1 }
    }
    return (form, text)
  }
}

extension CSVInputColumn {
  fileprivate var isOfPlaceOrTime: Bool {
    switch self {
    case .date, .otherTime: true
    default: isMember(.latitude) || isMember(.longitude) || isMember(.time)
    }
  }
}
