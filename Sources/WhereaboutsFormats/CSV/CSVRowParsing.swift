import WhereaboutsModel
import WhereaboutsGeodesy

/// The parsing of the fields of a row, with its problems.
struct CSVRowParsing {
  /// A problem at a byte of the row.
  struct Problem {
    let kind: InputProblem.Kind
    let position: Int
    let rule: StaticString
  }

  var row = CSVRow()
  /// The number of fields that were read: at most that of the header.
  private(set) var fieldCount = 0
  private(set) var problems: [Problem] = []

  private mutating func report(_ kind: InputProblem.Kind, at position: Int, _ rule: StaticString) {
    problems.append(Problem(kind: kind, position: position, rule: rule))
  }

  /// Parses the fields of a row; returns its place, or `nil` if the row has none or is refused.
  mutating func parse(
    _ bytes: UnsafeRawBufferPointer, header: CSVHeader, separator: UInt8
  ) -> Coordinate? {
    var fields = CSVFields(bytes, separator: separator)
    while fieldCount < header.columns.count, let field = fields.next() {
      // The fields that the row has more than the header are the rest of an address.
      if fieldCount == header.addressOfTraccar, !field.range.isEmpty {
        let count = CSVFields.count(of: bytes, separator: separator)
        for _ in header.columns.count..<max(count, header.columns.count) { _ = fields.next() }
      }
      let isSet = set(field, of: bytes, header: header, hasDecimalComma: separator != UInt8(ascii: ","))
      fieldCount += 1
      guard isSet else { return nil }
    }
    guard let latitude = row.latitude, let longitude = row.longitude else {
      if row.latitude != nil || row.longitude != nil { report(.missing, at: 0, "row without lat or lon") }
      return nil
    }
    // Decimal commas split numbers in two: 52,5 and 13,3 would be the place 52, 5.
    if separator == UInt8(ascii: ","), latitude.rounded() == latitude, longitude.rounded() == longitude,
      let further = fields.next(), !further.range.isEmpty
    {
      report(.malformed, at: 0, "more fields than the header: decimal commas need quotes or semicolons")
      return nil
    }
    guard let coordinate = Coordinate(latitude: latitude, longitude: longitude) else {
      report(.badCoordinate, at: 0, "lat or lon out of range")
      return nil
    }
    return coordinate
  }

  /// Sets the next field; returns `false` if it refuses the row.
  private mutating func set(
    _ field: CSVFields.Field, of bytes: UnsafeRawBufferPointer, header: CSVHeader, hasDecimalComma: Bool
  ) -> Bool {
    if !field.isWellFormed { report(.malformed, at: field.range.lowerBound, "quotes not closed") }
    guard let column = header.columns[fieldCount] else { return true }
    // Space within quotes is part of a name.
    let range = column == .trackName ? field.quotedRange ?? field.range : field.range
    guard !range.isEmpty else { return true }
    let text = UnsafeRawBufferPointer(rebasing: bytes[range])
    let factor = header.factors[fieldCount]
    if row.set(column, to: text, factor: factor, hasDecimalComma: hasDecimalComma) { return true }
    guard !column.isMember(.latitude), !column.isMember(.longitude) else {
      report(
        .badNumber, at: field.range.lowerBound,
        "lat or lon is neither a decimal number nor degrees and minutes with a hemisphere (51°28'40\"N)")
      return false
    }
    report(.badNumber, at: field.range.lowerBound, "field is not what its column holds")
    return true
  }
}
