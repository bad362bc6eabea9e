import ArgumentParser
import Whereabouts
import WhereaboutsModel
import WhereaboutsOperations
import WhereaboutsReports
import WhereaboutsSources

/// `whereabouts relay`: serves fixes to clients of gpsd and of NMEA 0183.
struct Relay: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "relay", abstract: "Serve fixes to other programs, as gpsd or as NMEA.",
    discussion: """
      Programs that support gpsd (cgps, gpspipe, navigation programs) connect to the relay as if it were gpsd. \
      Chart plotters and other programs that read NMEA 0183 over TCP receive sentences. The receiver is on only \
      while a client watches. The relay disconnects a client that reads too slowly, without effect on other \
      clients. Up to 64 clients of each kind can connect. The relay runs until Ctrl-C or SIGTERM.

      Without --gpsd and --nmea, the relay serves the gpsd protocol at localhost:2947. By default, only this \
      machine can connect. An address of 0.0.0.0 before the port makes the position visible to everyone in the \
      network.

      Examples:
        whereabouts relay
        whereabouts relay --source nmea:/dev/ttyACM0 --gpsd 2948
        whereabouts relay --source nmea:/dev/ttyACM0 --source nmea:tcp://boat.local:10110
        whereabouts relay --source geoclue --nmea 10110
        whereabouts relay --source replay:drive.nmea --gpsd 2948 --nmea 10110
        whereabouts relay --source gpsd://boat.local --gpsd 2947 --nmea 0.0.0.0:10110

      Exit codes: 0 success, after Ctrl-C or SIGTERM, 1 failure, 2 usage error, 4 permission denied, 7 port in use by \
      another program.
      """)

  @Option(
    name: .customLong("source"),
    help: ArgumentHelp(
      "Source of fixes, as for `whereabouts watch`: auto, gpsd, nmea:, geoclue, replay:FILE; repeatable.",
      valueName: "source"),
    completion: .list(["auto", "gpsd", "gpsd://", "nmea:", "geoclue", "replay:"]),
    transform: SourceOptions.source)
  var sources: [SourceName] = []

  @Option(
    help: ArgumentHelp(
      "Address at which to serve gpsd's protocol. (default: localhost:2947, or none with --nmea)",
      valueName: "[host:]port"), transform: ListenArgument.parse)
  var gpsd: ListenArgument?

  @Option(
    help: ArgumentHelp(
      "Address at which to serve NMEA 0183, as in 10110 or 0.0.0.0:10110. (default: none)",
      valueName: "[host:]port"), transform: ListenArgument.parse)
  var nmea: ListenArgument?

  /// The address of the gpsd server if no address was given.
  private var gpsdAddress: RelayAddress? {
    gpsd?.address ?? (nmea == nil ? RelayAddress(port: GPSDAddress.standardPort) : nil)
  }

  private var source: SourceName { SourceName(inOrder: sources) }

  func validate() throws {
    try SourceOptions.check(source)
    for case .gpsd(let asked) in sources {
      guard let address = gpsdAddress, asked.port == address.port,
        asked.host == address.host || (asked.isLocal && address.isLocal)
      else { continue }
      throw ValidationError(
        "--gpsd can't use the address of the source gpsd. Pass another port, as in --gpsd 2948.")
    }
  }

  func run() async throws {
    try source.requireRecording()
    let interruption = try InterruptListener()
    let server = try await RelayServer(gpsd: gpsdAddress, nmea: nmea?.address)
    for (what, address) in [("gpsd", server.gpsdAddress), ("NMEA", server.nmeaAddress)] {
      if let address { StandardError.print("\(what) at \(address.text)") }
    }
    let reporter = RelayStatusReporter()
    let source = try source.anySource()
    let serving = Task { await server.serve(source) { await reporter.report($0) } }
    for await _ in interruption.events { break }
    interruption.end()
    serving.cancel()
    await serving.value
    await reporter.reportSummary()
  }
}

extension GPSDAddress {
  /// Whether the host's name or address means this machine.
  fileprivate var isLocal: Bool { RelayAddress(host: host, port: port).isLocal }
}
