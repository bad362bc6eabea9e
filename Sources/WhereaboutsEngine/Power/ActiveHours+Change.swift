import WhereaboutsModel

extension ActiveHours {
  /// Returns the next time at which a time may enter or leave these hours; `nil` if there is none.
  func nextChange(after time: UTCTime) -> UTCTime? {
    // Each window ends as often as it begins, so its end is the beginning of another that starts there.
    let ends = windows.lazy.filter { $0.minutes > 0 }.map {
      Window(start: (min(max($0.start, 0), 10_079) + min($0.minutes, 10_080)) % 10_080, minutes: 1)
    }
    var endings = self
    endings.windows = Array(ends)
    let end = endings.nextStart(after: time)
    guard let start = nextStart(after: time), let end else { return nil }
    let next = min(start, end)
    // In autumn, the clock may be set back to before the beginning of a window.
    guard let change = zone?.nextChange(after: time), change < next,
      contains(change) != contains(change.advanced(by: .seconds(-1)))
    else { return next }
    return change
  }
}
