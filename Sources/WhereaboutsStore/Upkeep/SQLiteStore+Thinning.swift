import GRDB
public import Whereabouts
public import WhereaboutsCore

extension SQLiteStore {
  /// Erases fixes of a span that the others tell of well enough, and gives the room back.
  ///
  /// What is left stands for what went by moving steadily along the geodesic between the fixes before and after: that is
  /// nowhere farther than the error from where a fix was at its time. Height, speed and course are not looked at. Only
  /// fixes that were used go, and none that the engine may go through again. Thinned twice, the errors add up.
  ///
  /// - Parameters:
  ///   - device: whose.
  ///   - span: which; everything where `nil`. The first and the last of it stay.
  ///   - error: metres, at least 0.
  ///   - gap: neighbours that are this far apart in time both stay.
  ///   - progress: is told now and then; `false` ends it.
  /// - Returns: how many fixes went.
  @discardableResult
  public func thin(
    _ device: DeviceID, in span: Range<UTCTime>? = nil, error: Double, gap: Duration = .seconds(300),
    progress: @escaping (UpkeepProgress) -> Bool = { _ in true }
  ) throws(StoreTrouble) -> Int {
    var thinner = TrackThinner(error: error, gap: gap)
    var place = (span?.lowerBound.nanosecondsSince1970 ?? .min, Int64.min)
    let first = place.0, end = span?.upperBound.nanosecondsSince1970 ?? .max
    var erased = 0
    while true {
      let page = try page(of: device, after: place, until: end)
      var gone: [TrackThinner.Candidate] = []
      for fix in page { thinner.take(fix) { gone.append($0) } }
      if page.isEmpty { thinner.finish { gone.append($0) } }
      try erase(gone, of: device)
      erased += gone.count
      guard let last = page.last else { break }
      place = (last.time, last.seq)
      let share = Self.share(last.time, from: first, to: end)
      guard progress(UpkeepProgress(phase: .erasing, erased: erased, share: share)) else { break }
    }
    try finishErasing(progress: progress)
    return erased
  }

  private static func share(_ time: Int64, from first: Int64, to end: Int64) -> Double {
    // Of everything it isn't known where it begins and ends.
    guard first != .min, end != .max, end > first else { return 0 }
    return min(1, (Double(time) - Double(first)) / (Double(end) - Double(first)))
  }

  private func page(
    of device: DeviceID, after place: (Int64, Int64), until end: Int64
  ) throws(StoreTrouble) -> [TrackThinner.Candidate] {
    try read { database in
      guard let reader = try DeviceReader(database, device) else { return [] }
      let rows = try reader.statement(
        """
        SELECT time, seq, lat, lon, timing FROM fix
        WHERE device = ? AND (time, seq) > (?, ?) AND time < ? AND use = 'used' AND seq <= ?
        ORDER BY time, seq LIMIT \(Eraser.step)
        """)
      rows.bind(place.0, 2)
      rows.bind(place.1, 3)
      rows.bind(end, 4)
      rows.bind(reader.snapshotSeq, 5)
      var page: [TrackThinner.Candidate] = []
      while try rows.step() {
        guard let place = Coordinate(latitude: rows.double(2), longitude: rows.double(3)) else { continue }
        page.append(
          TrackThinner.Candidate(
            time: rows.int(0), seq: rows.int(1), place: place,
            isKept: rows.int(4) != FixRow.Timing.own.rawValue))
      }
      return page
    }
  }

  private func erase(_ fixes: [TrackThinner.Candidate], of device: DeviceID) throws(StoreTrouble) {
    guard !fixes.isEmpty else { return }
    try write(erasing: true) { database in
      guard let reader = try DeviceReader(database, device) else { return }
      try ErasureTask.requireLog(in: database)
      let delete = try reader.statement("DELETE FROM fix WHERE device = ? AND time = ? AND seq = ?")
      for fix in fixes {
        delete.bind(fix.time, 2)
        delete.bind(fix.seq, 3)
        try delete.run()
      }
    }
  }
}
