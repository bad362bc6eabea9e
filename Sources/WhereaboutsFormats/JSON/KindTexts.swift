import WhereaboutsModel

// Raw values are `String`s; these are their bytes, ready to copy. A test holds the two together.

extension Fix.SourceKind {
  /// Creates the kind of that text, or `nil`.
  init?(jsonText text: UnsafeRawBufferPointer) {
    guard let kind = Fix.SourceKind.all.first(where: { text.equals($0.jsonText) }) else { return nil }
    self = kind
  }

  // `allCases` makes an array each time.
  private static let all = Fix.SourceKind.allCases

  /// The bytes of its raw value.
  var jsonText: StaticString {
    switch self {
    case .coreLocation: "corelocation"
    case .gpsd: "gpsd"
    case .geoClue: "geoclue"
    case .nmea: "nmea"
    case .gpx: "gpx"
    case .csv: "csv"
    case .jsonLines: "jsonl"
    case .phone: "phone"
    case .timeline: "timeline"
    case .fit: "fit"
    case .tcx: "tcx"
    case .igc: "igc"
    case .kml: "kml"
    case .geoJSON: "geojson"
    case .scripted: "scripted"
    }
  }
}

extension Fix.SolutionKind {
  /// Creates the kind of that text, or `nil`.
  init?(jsonText text: UnsafeRawBufferPointer) {
    guard let kind = Fix.SolutionKind.all.first(where: { text.equals($0.jsonText) }) else { return nil }
    self = kind
  }

  private static let all = Fix.SolutionKind.allCases

  /// The bytes of its raw value.
  var jsonText: StaticString {
    switch self {
    case .autonomous: "autonomous"
    case .differential: "dgps"
    case .rtkFixed: "rtk-fixed"
    case .rtkFloat: "rtk-float"
    case .precise: "pps"
    case .deadReckoning: "dr"
    case .satellitesAndDeadReckoning: "gnss-dr"
    case .fixedPosition: "fixed"
    case .simulated: "simulated"
    }
  }
}

extension Fix.StatedActivity {
  /// Creates the activity of that text, or `nil`.
  init?(jsonText text: UnsafeRawBufferPointer) {
    guard let activity = Fix.StatedActivity.all.first(where: { text.equals($0.jsonText) }) else { return nil }
    self = activity
  }

  private static let all = Fix.StatedActivity.allCases

  /// The bytes of its raw value.
  var jsonText: StaticString {
    switch self {
    case .still: "still"
    case .walking: "walking"
    case .running: "running"
    case .cycling: "cycling"
    case .driving: "driving"
    case .rail: "rail"
    case .flying: "flying"
    case .boating: "boating"
    }
  }
}
