extension CellTree {
  /// Calls a closure with each list of the cells of a region, the cell, and the place in the cell's plane.
  func eachList(
    in region: GridRegion, around grid: GridPlace, _ body: (CellList, Cell, CellPoint) -> Void
  ) {
    guard !directory.isEmpty else { return }
    region.eachZone { zone, rows in
      let probe = CellProbe(grid, zone: zone)
      for columns in region.pieces(zone: zone) {
        let window = Window(rows: rows, columns: columns, probe: probe)
        for row in (rows.lowerBound >> 9)...(rows.upperBound >> 9) {
          for column in (columns.lowerBound >> 9)...(columns.upperBound >> 9) {
            let cell = Cell(level: 3, zone: zone, row: row, column: column)
            let node = Int(directory[cell.directoryIndex])
            if node != 0 { visit(node, cell, window, body) }
          }
        }
      }
      return true
    }
  }

  /// The part of a region within a zone.
  private struct Window {
    let rows: ClosedRange<Int>
    /// The columns of the lowest level.
    let columns: ClosedRange<Int>
    let probe: CellProbe

    /// Returns the cells of a level that are in the window and in a cell of the next level.
    func cells(of parent: Cell) -> (rows: ClosedRange<Int>, columns: ClosedRange<Int>)? {
      let up = 3 * (parent.level - 1)
      let firstRow = max(rows.lowerBound >> up, parent.row << 3)
      let lastRow = min(rows.upperBound >> up, parent.row << 3 + 7)
      let first = max(columns.lowerBound >> up, parent.column << 3)
      let last = min(columns.upperBound >> up, parent.column << 3 + 7)
      return firstRow <= lastRow && first <= last ? (firstRow...lastRow, first...last) : nil
    }
  }

  private func visit(
    _ node: Int, _ cell: Cell, _ window: Window, _ body: (CellList, Cell, CellPoint) -> Void
  ) {
    callBody(body, with: node, cell, window.probe)
    guard let below = window.cells(of: cell) else { return }
    for row in below.rows {
      for column in below.columns {
        let next = Cell(level: cell.level - 1, zone: cell.zone, row: row, column: column)
        if cell.level == 1 {
          guard let list = self.cell(next.position, leaf: node) else { continue }
          callBody(body, with: list, next, window.probe)
        } else {
          let child = Int(pool.words[node + 4 + next.position])
          if child != 0 { visit(child, next, window, body) }
        }
      }
    }
  }

  private func callBody(
    _ body: (CellList, Cell, CellPoint) -> Void, with list: Int, _ cell: Cell, _ probe: CellProbe
  ) {
    guard pool.words[list + 1] != 0 else { return }
    pool.words.withUnsafeBufferPointer { words in
      guard let base = words.baseAddress else { return }
      body(CellList(base, at: list), cell, probe.point(in: cell))
    }
  }
}
