/// A source of fixes by its name: a kind, a colon, and the parameters of that kind.
package enum SourceName: Hashable, Sendable {
  /// `auto`: any source of this machine.
  case automatic
  /// `gpsd`, `gpsd://host:port/device`
  case gpsd(GPSDAddress)
  /// `nmea:/dev/ttyACM0`, `nmea:tcp://host:port`, `nmea:udp://:port`, `nmea:-`
  case receiver(ReceiverName)
  /// `geoclue`
  case geoClue
  /// `replay:FILE`
  case replay(ReplayName)

  /// An error in the text of a source.
  package enum ParseError: Error, Hashable {
    case unknownKind(String)
    case noFile
    case noPort
    case badAddress(String)
    case unknownSetting(String, of: String, known: String)
    case badValue(String)
  }

  /// Parses a source.
  package init(_ text: String) throws(ParseError) {
    switch text {
    case "auto": self = .automatic
    case "gpsd": self = .gpsd(GPSDAddress())
    case "geoclue": self = .geoClue
    default:
      let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
      guard parts.count == 2 else { throw .unknownKind(text) }
      switch parts[0] {
      case "replay": self = .replay(try ReplayName(parts[1]))
      case "nmea": self = .receiver(try ReceiverName(parts[1]))
      case "gpsd": self = .gpsd(try GPSDAddress(parts[1]))
      default: throw .unknownKind(String(parts[0]))
      }
    }
  }
}

extension SourceName {
  /// The path of the recording; `nil` for a live source.
  package var recording: String? {
    if case .replay(let replay) = self { replay.path } else { nil }
  }

  /// Whether the source is a recording. A recording repeats its own silences.
  package var isRecorded: Bool { recording != nil }

  /// The default name of a trip: the name of the recording without its extension.
  package var tripName: String {
    guard let recording else { return "trip" }
    let file = recording.split(separator: "/").last.map(String.init) ?? recording
    let name = file.split(separator: ".").first.map(String.init) ?? file
    return name.isEmpty || name == "-" ? "trip" : name
  }

  /// Seconds of the source per real second; `nil` if the rate is unknown.
  package var playbackRate: Double? {
    switch self {
    case .replay(let replay): replay.playbackRate
    case .automatic, .gpsd, .receiver, .geoClue: 1
    }
  }
}

extension SourceName.ParseError {
  /// A description of the error for the user.
  package var explanation: String {
    switch self {
    case .unknownKind(let kind):
      """
      unknown source '\(kind)'. Sources: auto, gpsd[://HOST[:PORT][/DEVICE]], nmea:DEVICE, nmea:tcp://HOST:PORT, \
      nmea:udp://:PORT, nmea:-, geoclue, replay:FILE.
      """
    case .noFile: "replay: requires a file, as in replay:drive.nmea"
    case .noPort: "nmea: requires a device, as in nmea:/dev/ttyACM0, nmea:tcp://boat.local:10110, nmea:-"
    case .badAddress(let address):
      """
      '\(address)' is not an address. Examples: //localhost, //boat.local:2947, //[::1]:2947/dev/ttyACM0.
      """
    case .unknownSetting(let name, let kind, let known):
      "\(kind) has no setting '\(name)'. Settings: \(known)."
    case .badValue(let setting):
      """
      '\(setting)' is not a valid setting. Examples: speed=60, speed=max, pause=2s, from=nmea, \
      checksums=optional, baud=9600.
      """
    }
  }
}
