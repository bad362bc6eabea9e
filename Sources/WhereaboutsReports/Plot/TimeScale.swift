import WhereaboutsModel

/// A horizontal time axis: the time of day if known, or else the time since the start.
struct TimeScale {
  /// A tick: its position in seconds since the start, and its label.
  struct Tick: Hashable {
    var seconds: Double
    var label: String
    /// Whether the tick marks the start of a day.
    var isDay = false
  }

  /// Customary steps between ticks, in seconds.
  private static let steps: [Double] = [
    0.1, 0.2, 0.5, 1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 10_800, 21_600, 43_200,
    86_400, 172_800, 604_800, 1_209_600,
  ]

  /// The title of the axis.
  let title: String
  let ticks: [Tick]

  /// - Parameters:
  ///   - origin: the start of the track; `nil` to show the time since the start.
  ///   - span: the duration of the track, in seconds.
  ///   - most: the maximum number of ticks.
  init(origin: UTCTime?, span: Double, most: Int) {
    let count = Double(max(most, 2) - 1)
    var step = Self.steps.first { span / $0 <= count } ?? 2 * 1_209_600
    while span / step > count { step *= 2 }
    guard let origin else {
      title = step < 60 ? "min:s" : step < 86_400 ? "h:min" : "days"
      ticks = Self.multiples(of: step, from: 0, to: span)
        .map { Tick(seconds: $0, label: Self.elapsed($0, step: step)) }
      return
    }
    title = "UTC"
    let days = (Double(origin.nanosecondsSince1970) / 86_400e9).rounded(.down)
    // Counted from the preceding midnight, a Double is exact to the nanosecond.
    let midnight = UTCTime(secondsSince1970: days * 86_400) ?? origin
    let start = origin.seconds(since: midnight)
    ticks = Self.multiples(of: step, from: start, to: start + span).map { seconds in
      let time = Self.time(seconds, after: midnight)
      let isDay = step < 86_400 && seconds.truncatingRemainder(dividingBy: 86_400) == 0
      let label = isDay || step >= 86_400 ? Self.day(time, step: step) : Self.clock(time, step: step)
      return Tick(seconds: seconds - start, label: label, isDay: isDay)
    }
  }

  private static func time(_ seconds: Double, after midnight: UTCTime) -> UTCTime {
    // A duration is limited to 292 years in nanoseconds; whole seconds since 1970 are exact.
    guard seconds < 1e9 else {
      return UTCTime(secondsSince1970: midnight.secondsSince1970 + seconds.rounded()) ?? midnight
    }
    return midnight.advanced(by: .nanoseconds(Int64((seconds * 1e9).rounded())))
  }

  private static func multiples(of step: Double, from low: Double, to high: Double) -> [Double] {
    let first = (low / step - 1e-9).rounded(.up), last = (high / step + 1e-9).rounded(.down)
    guard last >= first, last - first < 1000 else { return [] }
    return stride(from: first, through: last, by: 1).map { $0 * step }
  }

  private static func clock(_ time: UTCTime, step: Double) -> String {
    if step >= 60 { return String(time.clockText.prefix(5)) }
    if step >= 1 { return time.clockText }
    let tenths = time.civil.nanosecond / 100_000_000
    return "\(time.clockText).\(tenths)"
  }

  private static func day(_ time: UTCTime, step: Double) -> String {
    let civil = time.civil
    let month = CivilTime.months[civil.month - 1].prefix(3)
    return step > 1_209_600 ? "\(civil.day) \(month) \(civil.year)" : "\(civil.day) \(month)"
  }

  private static func elapsed(_ seconds: Double, step: Double) -> String {
    func pair(_ whole: Int) -> String { "\(whole / 60):\(whole % 60 < 10 ? "0" : "")\(whole % 60)" }
    let tenths = Int((min(seconds, 1e12) * 10).rounded())
    if step < 1 { return "\(pair(tenths / 10)).\(tenths % 10)" }
    if step < 60 { return pair(tenths / 10) }
    return step < 86_400 ? pair(tenths / 600) : "\(tenths / 864_000)"
  }
}

extension CivilTime {
  /// The abbreviated names of the months.
  static let months = [
    "January", "February", "March", "April", "May", "June", "July", "August", "September", "October",
    "November",
    "December",
  ]
}
