/// Rows of texts with their columns under each other.
enum TextTable {
  /// The widest column; what is longer runs over.
  private static let widest = 40

  /// Lines of text. A column in which nothing stands is left out.
  ///
  /// - Parameter numbers: the columns that are set to the right.
  static func lines(_ rows: [[String]], numbers: Set<Int> = []) -> [String] {
    let count = rows.map(\.count).max() ?? 0
    var widths = [Int](repeating: 0, count: count)
    for row in rows {
      for (index, text) in row.enumerated() { widths[index] = max(widths[index], min(text.count, widest)) }
    }
    return rows.map { row in
      var columns: [String] = []
      for (index, text) in row.enumerated() where widths[index] > 0 {
        columns.append(text.padded(to: widths[index], onLeft: numbers.contains(index)))
      }
      var line = columns.joined(separator: "  ")
      while line.last == " " { line.removeLast() }
      return line
    }
  }
}
