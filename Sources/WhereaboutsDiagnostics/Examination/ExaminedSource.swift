package import WhereaboutsSources

/// The subject of an examination.
package enum ExaminedSource {
  /// Every source of this machine.
  case automatic
  case gpsd(GPSDAddress)
  /// A receiver and its name in findings.
  case receiver(ReceiverSource, name: String)
  /// The desktop's location service.
  case geoClue
}
