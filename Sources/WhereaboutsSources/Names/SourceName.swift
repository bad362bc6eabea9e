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
  /// Several live sources in the order of preference, with failover. ``init(_:)`` never returns this case.
  case failover([SourceName])

  /// An error in the text of a source.
  package enum ParseError: Error, Hashable {
    case unknownKind(String)
    case noFile
    case noPort
    case badAddress(String)
    case unknownSetting(String, of: String, known: String)
    case badValue(String)
    /// A source that can't be one of several, with the reason.
    case notCombinable(String, because: String)
    /// A source that was given twice.
    case repeated(String)
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
  /// Creates the source of several options in the order of preference. One source stays itself; none is
  /// ``automatic``. ``checkMembers()`` checks whether the sources can be combined.
  package init(inOrder sources: [SourceName]) {
    self = sources.count > 1 ? .failover(sources) : sources.first ?? .automatic
  }

  /// Parses and checks a source, or several with commas between. A recording is never one of several, so the name of
  /// its file may contain commas. The path of a receiver may not: a mistake after a comma would be part of the path.
  package init(list text: String) throws(ParseError) {
    guard !text.hasPrefix("replay:") else {
      self = try SourceName(text)
      return
    }
    var sources: [SourceName] = []
    for part in text.split(separator: ",", omittingEmptySubsequences: false) {
      var part = part.drop { $0 == " " }
      while part.last == " " { part.removeLast() }
      sources.append(try SourceName(String(part)))
    }
    self.init(inOrder: sources)
    try checkMembers()
  }

  /// Throws if one of several sources can't be replaced by another, or stands twice.
  package func checkMembers() throws(ParseError) {
    guard case .failover(let sources) = self else { return }
    for (index, source) in sources.enumerated() {
      if let reason = source.reasonAgainstFailover {
        throw .notCombinable(source.name, because: reason)
      }
      if sources[..<index].contains(where: { $0.name == source.name }) {
        throw .repeated(source.name)
      }
    }
  }

  /// The reason why failover can't use the source beside others; `nil` if it can.
  private var reasonAgainstFailover: String? {
    switch self {
    case .automatic: "it already is any source of this machine, with failover"
    case .replay: "a recording has its own time, which no live source continues"
    case .receiver(let receiver) where receiver.port == .standardInput:
      "standard input ends with its sender and can't be opened again"
    case .failover, .gpsd, .receiver, .geoClue: nil
    }
  }

  /// The sources among which failover selects; the source itself if it is a single one.
  package var members: [SourceName] { if case .failover(let sources) = self { sources } else { [self] } }

  /// The name in reports and arguments, without settings.
  package var name: String {
    switch self {
    case .automatic: "auto"
    case .gpsd(let gpsd): gpsd.name
    case .receiver(let receiver): receiver.name
    case .geoClue: "geoclue"
    case .replay(let replay): "replay:\(replay.path)"
    case .failover(let sources): sources.map(\.name).joined(separator: ",")
    }
  }

  /// The paths of the devices in `/dev` that the source reads. The automatic source reads any at USB, of which there is
  /// one path each, and the port on the header of a Raspberry Pi.
  package var devices: [String] {
    if self == .automatic { return ["/dev/ttyACM0", "/dev/ttyUSB0", "/dev/serial0"] }
    return members.compactMap { source in
      guard case .receiver(let receiver) = source else { return nil }
      switch receiver.port {
      case .serial(let path, _), .file(let path): return path.hasPrefix("/dev/") ? path : nil
      case .tcp, .udp, .standardInput: return nil
      }
    }
  }

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
    case .automatic, .gpsd, .receiver, .geoClue, .failover: 1
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
      '\(address)' is not an address. Examples: gpsd://boat.local:2947, gpsd://[::1]:2947/dev/ttyACM0, \
      nmea:tcp://boat.local:10110, nmea:udp://:10110.
      """
    case .unknownSetting(let name, let kind, let known):
      "\(kind) has no setting '\(name)'. Settings: \(known)."
    case .badValue(let setting):
      """
      '\(setting)' is not a valid setting. Examples: speed=60, speed=max, pause=2s, from=nmea, \
      checksums=optional, baud=9600.
      """
    case .notCombinable(let source, let reason):
      "\(source) can't be one of several sources: \(reason). Pass it as the only one."
    case .repeated(let source): "\(source) was given twice. Pass each source once."
    }
  }
}
