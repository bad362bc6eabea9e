import WhereaboutsCore

/// How long ago something was, as a person says it.
enum AgeText {
  /// `12 s ago`, `921 d 6 h ago`; of what lies ahead that its clock is: `in 12 s, by this clock`.
  static func text(_ time: UTCTime, asOf now: UTCTime) -> String {
    let seconds = now.seconds(since: time)
    if seconds < 0 {
      return seconds > -1 ? "now" : "in \(Quantities.duration((-seconds).rounded())), by this clock"
    }
    return "\(Quantities.duration(seconds.rounded())) ago"
  }
}
