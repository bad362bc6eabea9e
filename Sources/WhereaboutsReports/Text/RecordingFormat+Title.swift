import WhereaboutsFormats

extension RecordingFormat {
  /// The common name of the format.
  package var title: String {
    switch self {
    case .nmea: "NMEA 0183"
    case .gpx: "GPX"
    case .csv: "CSV"
    case .jsonLines: "JSON lines"
    case .geoJSON: "GeoJSON"
    case .timeline: "Google Timeline"
    case .fit: "FIT"
    case .tcx: "TCX"
    case .igc: "IGC"
    case .kml: "KML"
    case .ownTracks: "OwnTracks Recorder"
    }
  }
}
