/// From a dilution of precision to an accuracy, where a recording gives nothing better.
///
/// A dilution is geometry only; times the error of one measured range it is an error of position. That error is
/// not in the recording, so one figure stands for all, and the result is marked as estimated.
package enum RangingError {
  /// The error of one measured range at 68 %, in metres: an ordinary single-frequency receiver under open sky.
  ///
  /// - Source: F. van Diggelen and P. Enge, "The World's First GPS MOOC and Worldwide Laboratory using Smartphones"
  ///   (ION GNSS+ 2015) found 4.9 m horizontally with phones under open sky, where the horizontal dilution is about 1.
  package static let meters = 5.0

  /// The accuracy at 68 %, in metres, that a dilution suggests, or `nil` where it says nothing.
  ///
  /// Receivers without a solution write 0, or the largest number that the field holds (50, 99, 99.99). A dilution
  /// above 50 is no solution that anyone should use, so that it is taken as unknown too. Rounded to the centimetre: more
  /// digits would only be those of the multiplication.
  package static func accuracy(dilution: Float) -> Double? {
    guard dilution > 0, dilution < 50 else { return nil }
    return (Double(dilution) * meters * 100).rounded() / 100
  }
}
