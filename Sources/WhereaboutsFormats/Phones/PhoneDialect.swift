package import WhereaboutsModel

/// A form in which phones and trackers send positions over HTTP.
///
/// docs/phones.md has a table of each app's settings and of the values that are read.
public enum PhoneDialect: String, Hashable, Sendable, Codable, CaseIterable {
  /// OwnTracks over HTTP, and Colota's forms of it: one JSON object a request.
  case ownTracks = "owntracks"
  /// Overland's batches of GeoJSON features.
  case overland
  /// The query protocol of OsmAnd and Traccar: a query, a form, or the JSON of Traccar Client.
  case osmAnd = "osmand"
  /// GPSLogger's custom URL: a query, a form or a JSON object.
  case gpsLogger = "gpslogger"
  /// The webhook of Home Assistant's companion app.
  case homeAssistant = "homeassistant"
  /// The JSON lines of this package, and the `whereabouts` form of uploads.
  case whereabouts

  /// Creates the dialect that is read at a path; `nil` for a path of none.
  ///
  /// - Parameter path: the path of a request line, without its query; a slash at its end is ignored, and several at its
  ///   beginning count as one.
  public init?(path: String) {
    let whole = path.withOneLeadingSlash
    let path = whole.count > 1 && whole.hasSuffix("/") ? String(whole.dropLast()) : whole
    switch path {
    case "/owntracks", "/pub": self = .ownTracks
    case "/overland": self = .overland
    case "/osmand": self = .osmAnd
    case "/gpslogger": self = .gpsLogger
    case "/ingest": self = .whereabouts
    default:
      guard path.hasPrefix("/api/webhook/") else { return nil }
      self = .homeAssistant
    }
  }

  /// Reads a request of this dialect.
  ///
  /// Any bytes give a report. A row that can't be read is one of ``PhoneReport/rejections``, and the rows around it
  /// are read. The memory used is a multiple of the body's size, so the caller limits that size.
  ///
  /// - Parameters:
  ///   - request: the request.
  ///   - settings: the settings of the device that sent it.
  public func report(from request: PhoneRequest, settings: PhoneSettings = PhoneSettings()) -> PhoneReport {
    report(from: request, settings: settings, furtherSettings: [:])
  }

  /// Reads a request of this dialect that holds rows of several devices.
  ///
  /// - Parameters:
  ///   - request: the request.
  ///   - settings: the settings of the device that sent it.
  ///   - furtherSettings: the settings of further devices, by the name that a row states.
  package func report(
    from request: PhoneRequest, settings: PhoneSettings, furtherSettings: [DeviceID: PhoneSettings]
  ) -> PhoneReport {
    request.body.withUnsafeBytes { body in
      var builder = PhoneReportBuilder(self, request, settings, furtherSettings, body: body)
      let text = body.withoutByteOrderMark.withoutOuterSpace
      switch self {
      case .ownTracks: builder.readOwnTracks(text)
      case .overland: builder.readOverland(text)
      case .osmAnd: builder.readOsmAnd(text)
      case .gpsLogger: builder.readGPSLogger(text)
      case .homeAssistant: builder.readHomeAssistant(text)
      case .whereabouts: builder.readWhereabouts(text)
      }
      builder.recordBasicUser()
      return builder.report
    }
  }

  /// Reads the opened content of an encrypted message; see ``PhoneCiphertext``.
  ///
  /// - Parameters:
  ///   - payload: the opened bytes.
  ///   - ciphertext: the encrypted message that they come from.
  ///   - request: the request that held it.
  ///   - settings: the settings of the device that sent it.
  public func report(
    fromOpened payload: [UInt8], of ciphertext: PhoneCiphertext, in request: PhoneRequest,
    settings: PhoneSettings = PhoneSettings()
  ) -> PhoneReport {
    var opened = request
    opened.body = payload
    opened.rowPlaces = nil
    guard self == .homeAssistant, let type = ciphertext.messageType else {
      return report(from: opened, settings: settings)
    }
    // The type of a message stays outside of its ciphertext.
    opened.body = []
    opened.body.appendJSONObject {
      $0.appendJSONMember("type", type)
      $0.appendJSONKey("data")
      $0 += payload
    }
    return report(from: opened, settings: settings)
  }
}

extension String {
  /// This path with one slash for several at its beginning: the base URL that a person enters may end with a slash.
  package var withOneLeadingSlash: String {
    hasPrefix("//") ? "/" + String(drop(while: { $0 == "/" })) : self
  }
}
