/// Rows of texts with aligned columns.
package enum TextTable {
  /// The maximum width of a column. Longer text overflows.
  private static let widestColumn = 40

  /// Returns the lines of the table. An empty column is omitted.
  ///
  /// - Parameter numbers: the indices of the right-aligned columns.
  package static func lines(_ rows: [[String]], numbers: Set<Int> = []) -> [String] {
    let count = rows.map(\.count).max() ?? 0
    var widths = [Int](repeating: 0, count: count)
    for row in rows {
      for (index, text) in row.enumerated() {
        widths[index] = max(widths[index], min(text.count, widestColumn))
      }
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
