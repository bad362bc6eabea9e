package import WhereaboutsModel

extension NMEADecoder {
  /// The time at which the next bytes arrive from a live receiver; `nil` for a recording, and where it is unknown.
  ///
  /// Until the receiver states a date, each time of day gets the day on which it is nearest to this time. If a later day
  /// does not continue the assumed ones, ``RecordingElement/segmentBegan`` precedes its first fix: the receiver states
  /// another date, or ``recordArrivalStep()`` was called.
  package var arrival: UTCTime? {
    get { clock.arrival }
    set { clock.arrival = newValue }
  }

  /// Records that the clock of ``arrival`` was set to another day.
  package mutating func recordArrivalStep() {
    clock.recordArrivalStep()
  }

  /// Whether a sentence has stated a date, or ``Options/startDate`` did.
  package var knowsDate: Bool { clock.knowsDate }

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
