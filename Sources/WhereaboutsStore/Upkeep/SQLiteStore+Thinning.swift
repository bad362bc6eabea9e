import GRDB
public import Whereabouts
public import WhereaboutsModel

extension SQLiteStore {
  /// Erases redundant fixes of a span and returns the space.
  ///
  /// The remaining fixes represent a steady movement along the geodesic between neighbours. The movement is nowhere
  /// farther than `error` from an erased fix at its time. Altitude, speed and course are ignored. Only used fixes
  /// that the engine can't replay are erased. The errors of repeated thinning add up.
  ///
  /// - Parameters:
  ///   - device: the device.
  ///   - span: the span of times; `nil` for all. The first and last fix stay.
  ///   - error: the greatest error in metres, at least 0.
  ///   - gap: the time between two neighbours from which both stay.
  ///   - progress: called from time to time; `false` stops the thinning.
  /// - Returns: the number of erased fixes.
  @discardableResult
  public func thin(
    _ device: DeviceID, in span: Range<UTCTime>? = nil, error: Double, gap: Duration = .seconds(300),
    progress: @escaping (UpkeepProgress) -> Bool = { _ in true }
  ) throws(StoreError) -> Int {
    var thinner = TrackThinner(error: error, gap: gap)
    let first = span?.lowerBound.nanosecondsSince1970 ?? .min
    let end = span?.upperBound.nanosecondsSince1970 ?? .max
    let times = try read { database in try DeviceReader(database, device)?.fixTimes(from: first, to: end) }
    var place = (first, Int64.min), erased = 0
    while true {
      let page = try page(of: device, after: place, until: end)
      var gone: [TrackThinner.Candidate] = []
      for fix in page { thinner.process(fix) { gone.append($0) } }
      if page.isEmpty { thinner.finish { gone.append($0) } }
      try erase(gone, of: device)
      erased += gone.count
      guard let last = page.last else { break }
      place = (last.time, last.seq)
      let share = times.map { Eraser.share(last.time, of: $0) } ?? 1
      guard progress(UpkeepProgress(phase: .erasing, erased: erased, share: share)) else { break }
    }
    try finishErasing { [erased] in
      progress(UpkeepProgress(phase: $0.phase, erased: erased + $0.erased, share: $0.share))
    }
    return erased
  }

  private func page(
    of device: DeviceID, after place: (Int64, Int64), until end: Int64
  ) throws(StoreError) -> [TrackThinner.Candidate] {
    try read { database in
      guard let reader = try DeviceReader(database, device) else { return [] }
      let rows = try reader.statement(
        """
        SELECT time, seq, lat, lon, timing FROM fix
        WHERE device = ? AND (time, seq) > (?, ?) AND time < ? AND use = 'used'
          AND (seq <= ? OR timing = \(FixRow.Timing.imported.rawValue))
        ORDER BY time, seq LIMIT \(Eraser.rowsPerStep)
        """)
      rows.bind(place.0, 2)
      rows.bind(place.1, 3)
      rows.bind(end, 4)
      rows.bind(reader.snapshotSeq, 5)
      let timed = [FixRow.Timing.fromFix.rawValue, FixRow.Timing.imported.rawValue]
      var page: [TrackThinner.Candidate] = []
      while try rows.step() {
        guard let place = Coordinate(latitude: rows.double(2), longitude: rows.double(3)) else { continue }
        page.append(
          TrackThinner.Candidate(
            time: rows.int(0), seq: rows.int(1), place: place,
            isMandatory: !timed.contains(rows.int(4))))
      }
      return page
    }
  }

  private func erase(_ fixes: [TrackThinner.Candidate], of device: DeviceID) throws(StoreError) {
    guard !fixes.isEmpty else { return }
    try write(erasing: true) { database in
      guard let reader = try DeviceReader(database, device) else { return }
      try ErasureTask.scheduleLogErasure(in: database)
      let delete = try reader.statement("DELETE FROM fix WHERE device = ? AND time = ? AND seq = ?")
      for fix in fixes {
        delete.bind(fix.time, 2)
        delete.bind(fix.seq, 3)
        try delete.run()
      }
    }
  }
}
