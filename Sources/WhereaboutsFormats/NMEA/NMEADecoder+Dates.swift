package import WhereaboutsModel

extension NMEADecoder {
  /// Returns the day of a recording's first fix, if the date is stated only after it.
  ///
  /// Between the first fix and the date, the day advances as after a date.
  ///
  /// - Parameter opening: the first bytes of the recording.
  /// - Returns: `nil` if the first fix has a date, or if these bytes state none.
  package static func startDate(of opening: UnsafeRawBufferPointer, options: Options) -> UTCTime? {
    let fixes = Self.fixes(in: opening, options: options)
    guard let first = fixes.first, first.time == nil, let index = fixes.firstIndex(where: { $0.time != nil }),
      let stated = fixes[index].time
    else { return nil }
    var options = options
    options.startDate = stated
    let undated = Self.fixes(in: opening, options: options).prefix(index)
    guard let last = undated.last(where: { $0.time != nil })?.time else { return stated }
    let hour = 3600.0, day = 86_400.0
    let days = max(0, ((last.seconds(since: stated) - hour) / day).rounded(.up))
    return stated.advanced(by: .seconds(-days * day))
  }

  private static func fixes(in opening: UnsafeRawBufferPointer, options: Options) -> [Fix] {
    var decoder = NMEADecoder(options: options), batch = RecordingBatch()
    decoder.decode(opening, into: &batch)
    decoder.finish(into: &batch)
    return batch.fixes
  }
}
