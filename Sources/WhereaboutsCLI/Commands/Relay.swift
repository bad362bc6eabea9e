import ArgumentParser
import Whereabouts
import WhereaboutsCore
import WhereaboutsSources

/// `whereabouts relay`: what we know, for programs that were made for gpsd or take NMEA.
struct Relay: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Offer the fix to other programs, as gpsd or as NMEA.",
    discussion: """
      Programs that were made for gpsd (cgps, gpspipe, navigation programs) connect to it as if it were gpsd; chart plotters \
      and others that take NMEA 0183 over TCP get sentences. The receiver is on only while one of them watches. A program that \
      does not take what it is sent is dropped, and the others don't notice. 64 programs of each kind fit. Runs until Ctrl-C.

      Without --gpsd and --nmea it is a gpsd at localhost:2947. It listens to this machine only, unless told \
      otherwise: 0.0.0.0 before the port lets everyone in the network see where you are.

      Examples:
        whereabouts relay
        whereabouts relay --source nmea:/dev/ttyACM0 --gpsd 2948
        whereabouts relay --source geoclue --nmea 10110
        whereabouts relay --source replay:drive.nmea --gpsd 2948 --nmea 10110
        whereabouts relay --source gpsd://boat.local --gpsd 2947 --nmea 0.0.0.0:10110

      Exit codes: 0 ended by Ctrl-C, 1 failed, 2 usage, 7 another program listens at the port.
      """)

  @Option(
    help: ArgumentHelp(
      "Where fixes come from, as for `whereabouts watch`: auto, gpsd, nmea:, geoclue, replay:FILE.",
      valueName: "source"),
    completion: .list(["auto", "gpsd", "gpsd://", "nmea:", "geoclue", "replay:"]),
    transform: SourceOptions.source)
  var source = SourceArgument.automatic

  @Option(help: ArgumentHelp("Speak gpsd's protocol there.", valueName: "[host:]port"))
  var gpsd: ListenArgument?

  @Option(help: ArgumentHelp("Send NMEA 0183 to whoever connects there.", valueName: "[host:]port"))
  var nmea: ListenArgument?

  /// Where gpsd is to be, where nothing was said.
  private var gpsdAddress: RelayAddress? {
    gpsd?.address ?? (nmea == nil ? RelayAddress(port: GPSDArgument.standardPort) : nil)
  }

  func validate() throws {
    guard case .gpsd(let asked) = source, let address = gpsdAddress, asked.port == address.port,
      asked.host == address.host || (asked.isLocal && (ListenArgument(address).isLocal))
    else { return }
    throw ValidationError(
      "gpsd is the source: it can't be replaced where it listens itself. Take another port, as in --gpsd 2948"
    )
  }

  func run() async throws {
    let interruption = try Interruption()
    let server = try await RelayServer(gpsd: gpsdAddress, nmea: nmea?.address)
    for (what, address) in [("gpsd", server.gpsdAddress), ("NMEA", server.nmeaAddress)] {
      if let address { StandardError.say("\(what) at \(address.text)") }
    }
    let voice = RelayVoice()
    let source = try source.relayed()
    let serving = Task { await server.serve(source) { await voice.tell($0) } }
    for await _ in interruption.events { break }
    interruption.end()
    serving.cancel()
    await serving.value
    await voice.sumUp()
  }
}

extension SourceArgument {
  /// The source for those who are no manager: a recording plays at its pace.
  fileprivate func relayed() throws(CommandFailure) -> any LocationSource {
    guard case .replay(let replay) = self else { return try live() }
    return replay.source(until: nil, needsTimes: false, keeping: nil)
  }
}

extension GPSDArgument {
  /// Whether it is on this machine, as far as its name tells.
  fileprivate var isLocal: Bool { ListenArgument(RelayAddress(host: host, port: port)).isLocal }
}

/// Says on standard error what a relay's clients and its source do, when that changes.
private actor RelayVoice {
  private var last = RelayStatus()
  private let isTerminal = System.isTerminal(System.standardError)

  func tell(_ status: RelayStatus) {
    defer { last = status }
    if let trouble = status.trouble, trouble != last.trouble {
      StandardError.say("whereabouts: \(CommandFailure(trouble).message)")
    }
    if status.dropped > last.dropped { StandardError.say("a client was too slow and was dropped") }
    if status.refused > last.refused {
      StandardError.say(
        "a client was refused: 64 of its kind are connected; \(status.refused) refused so far")
    }
    let isHeardFirst = status.fixes > 0 && last.fixes == 0
    guard
      isHeardFirst || status.gpsdClients != last.gpsdClients || status.nmeaClients != last.nmeaClients
        || status.isReceiverOn != last.isReceiverOn
    else { return }
    StandardError.say(text(status))
  }

  func sumUp() {
    StandardError.say("relayed \(Quantities.count(last.fixes, "fix", "fixes"))")
  }

  private func text(_ status: RelayStatus) -> String {
    let clients = [(status.gpsdClients, "gpsd"), (status.nmeaClients, "NMEA")]
      .filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }.joined(separator: ", ")
    let receiver = status.isReceiverOn ? "receiver on" : "receiver off"
    let fixes = status.fixes > 0 ? "; \(Quantities.count(status.fixes, "fix", "fixes"))" : ""
    return "clients: \(clients.isEmpty ? "none" : clients); \(receiver)\(fixes)"
  }
}
