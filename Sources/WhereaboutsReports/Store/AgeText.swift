package import WhereaboutsModel

/// The age of a time as text.
package enum AgeText {
  /// Returns `12 s ago` or `921 d 6 h ago`; for a time in the future, `in 12 s, by this clock`.
  package static func text(_ time: UTCTime, asOf now: UTCTime) -> String {
    let seconds = now.seconds(since: time)
    if seconds < 0 {
      return seconds > -1 ? "now" : "in \(Quantities.duration((-seconds).rounded())), by this clock"
    }
    return "\(Quantities.duration(seconds.rounded())) ago"
  }
}
