/// The conversion from a dilution of precision to an accuracy, for recordings without a better value.
///
/// A dilution is geometry only; times the error of one measured range it is an error of position. A recording lacks
/// that error, so one figure is used for all, and the result is marked as estimated.
package enum RangingError {
  /// The error of one measured range at 68 %, in metres: an ordinary single-frequency receiver under open sky.
  ///
  /// - Source: F. van Diggelen and P. Enge, "The World's First GPS MOOC and Worldwide Laboratory using Smartphones"
  ///   (ION GNSS+ 2015) found 4.9 m horizontally. Phones under open sky were used, at a horizontal dilution of about
  ///   1.
  package static let meters = 5.0

  /// Returns the accuracy at 68 %, in metres, that a dilution suggests, or `nil` if unknown.
  ///
  /// Receivers without a solution write 0, or the largest number that the field holds (50, 99, 99.99). A dilution above
  /// 50 makes a solution useless, and counts as unknown too. The result is rounded to the centimetre: the
  /// multiplication alone would add more digits.
  package static func accuracy(dilution: Float) -> Double? {
    guard dilution > 0, dilution < 50 else { return nil }
    return (Double(dilution) * meters * 100).rounded() / 100
  }
}
