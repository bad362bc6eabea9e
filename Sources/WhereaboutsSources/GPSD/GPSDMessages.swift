import WhereaboutsModel
import WhereaboutsFormats
import WhereaboutsSystem

/// The reason why a connection failed.
struct GPSDConnectionFailure: Hashable, Sendable {
  /// Whether no process listens at the address.
  let isConnectionRefused: Bool
  /// The system's message, as a fragment.
  let reason: String
}

/// The requests to gpsd, and the problems reported about gpsd.
struct GPSDMessages: Sendable {
  private let isLocal: Bool
  private let host: String
  private let port: Int
  private let address: String
  /// The name in problems, by which one of several servers is told from another.
  private let server: String
  /// Whether this machine has gpsd.
  private let isInstalled: Bool

  init(host: String, port: Int, isInstalled: Bool = false) {
    self.isInstalled = isInstalled
    self.host = host
    self.port = port
    isLocal = host.isLoopbackHost
    address = host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)"
    server = host == "localhost" && port == GPSDAddress.standardPort ? "gpsd" : "gpsd at \(address)"
  }

  // MARK: - Requests

  static let unwatchRequest = "?WATCH={\"enable\":false};\n"
  static let versionRequest = "?VERSION;\n"
  static let devicesRequest = "?DEVICES;\n"

  /// Returns a watch request. gpsd accepts at most 80 characters; for a device with a longer name, the request
  /// watches all devices and the session filters.
  func watchRequest(_ device: String?) -> String {
    let all = "?WATCH={\"enable\":true,\"json\":true};\n"
    guard let device else { return all }
    var request = Array("?WATCH=".utf8)
    request.appendJSONObject {
      $0.appendJSONMember("enable", true)
      $0.appendJSONMember("json", true)
      $0.appendJSONMember("device", device)
    }
    request += Array(";\n".utf8)
    return request.count <= 81 ? String(decoding: request, as: UTF8.self) : all
  }

  // MARK: - Problems

  func unreachable(_ refusal: GPSDConnectionFailure) -> SourceProblem {
    let remedy: String? =
      switch (refusal.isConnectionRefused, isLocal) {
      // The system's gpsd listens at its own port only.
      case (true, true) where port != GPSDAddress.standardPort:
        "Start gpsd with the option -S \(port), or check the port: gpsd's own is \(GPSDAddress.standardPort)."
      case (true, true) where isInstalled:
        """
        Run `sudo systemctl start gpsd.socket`. gpsd finds a receiver at USB by itself; DEVICES in /etc/default/gpsd \
        names any other.
        """
      case (true, true):
        "gpsd is not installed. A receiver at this machine can be read without it; to install it: `sudo apt install gpsd`."
      case (true, false):
        "See that gpsd runs on \(host), with the option -G: without it, it listens to its own machine only."
      case (false, true): nil
      case (false, false): "Check the name of the host, that it is on, and the network between."
      }
    return SourceProblem(.unreachable, message: "reach gpsd at \(address): \(refusal.reason)", remedy: remedy)
  }

  var closedAtOnce: SourceProblem {
    SourceProblem(
      .unreachable, message: "keep a connection to gpsd at \(address): it is closed at once",
      remedy: "See whether gpsd has too many clients: it takes 64.")
  }

  var closedAfterGreeting: SourceProblem {
    SourceProblem(
      .unreachable, message: "keep a connection to gpsd at \(address): gpsd closes it after its greeting",
      remedy: "See whether gpsd has too many clients (it takes 64), and what it says: `journalctl -u gpsd`.")
  }

  /// A connection that held for a while and was of no use, as to a gpsd without a receiver that was stopped.
  var closed: SourceProblem {
    SourceProblem(
      .unreachable, message: "keep a connection to gpsd at \(address): gpsd has closed it",
      remedy: "If gpsd does not start again by itself, see why: `journalctl -u gpsd`.")
  }

  /// - Parameter message: the relay's message, as a sentence without a full stop.
  func relayProblem(_ message: String) -> SourceProblem {
    SourceProblem(
      .noReceiver, message: "find a receiver: the relay at \(address) says that it \(message)",
      remedy: "Run `whereabouts doctor` where the relay runs: it says what to do.")
  }

  /// - Parameter message: the server's text.
  func watchRefused(_ message: String) -> SourceProblem {
    let text = Self.printable(message)
    return SourceProblem(
      .unusable,
      message: "get reports from \(server): it answers with an error\(text.isEmpty ? "" : " (\(text))")",
      remedy: "Check the port, and what runs there: gpsd's own port is 2947.")
  }

  /// Returns the beginning of a server's text, without control characters.
  private static func printable(_ text: String) -> String {
    var result = String.UnicodeScalarView()
    for scalar in text.unicodeScalars.prefix(120) {
      switch scalar.properties.generalCategory {
      case .control, .format, .lineSeparator, .paragraphSeparator: result.append(" ")
      default: result.append(scalar)
      }
    }
    return String(result)
  }

  var notGPSD: SourceProblem {
    SourceProblem(
      .notUnderstood, message: "understand what answers at \(address): it is not gpsd",
      remedy: "Check the port; gpsd's own is 2947.")
  }

  var notGreeted: SourceProblem {
    SourceProblem(
      .silent, message: "hear from gpsd at \(address): the connection is accepted, and nothing comes",
      remedy: """
        A starting gpsd first opens its receivers, which takes some seconds for each. If this lasts, restart gpsd\
        \(isLocal ? " with `sudo systemctl restart gpsd`" : " on \(host)"), or check the port: gpsd's own is 2947.
        """)
  }

  var ownRelay: SourceProblem {
    SourceProblem(
      .notUnderstood, message: "take fixes from \(address): it is this program's own relay",
      remedy: "Choose another source, as in --source nmea:/dev/ttyACM0.")
  }

  /// - Parameters:
  ///   - device: the requested device.
  ///   - lost: the device that was lost.
  ///   - others: gpsd's devices other than the requested one.
  func noReceiver(_ device: String?, lost: String?, others: [String] = []) -> SourceProblem {
    let path = device ?? lost
    let known = others.joined(separator: ", ")
    let choice = others.isEmpty ? "Plug it in" : "Use a device that gpsd has (\(known)), or plug it in"
    let message =
      path.map { "find the receiver \($0): \(server) does not have it" }
      ?? "find a receiver: \(server) has none"
    // A receiver over the network, such as tcp://boat:10110.
    if let path, others.isEmpty, !path.hasPrefix("/") {
      return SourceProblem(
        .noReceiver, message: message,
        remedy: """
          Once its server runs, run `sudo gpsdctl add \(path)`: gpsd does not connect to it again by itself.
          """)
    }
    return SourceProblem(
      .noReceiver, message: message,
      remedy: """
        \(choice); where gpsd does not find it by itself, run `sudo gpsdctl add \(path ?? "/dev/ttyACM0")`\
        \(path == nil ? " with its own path" : "").
        """)
  }

  func silent(_ device: String?) -> SourceProblem {
    SourceProblem(
      .silent,
      message: "hear from the receiver: \(server) runs, but \(device ?? "its receiver") sends nothing",
      remedy:
        "Check its cable; \(device.map { "`sudo gpsdctl remove \($0)` and `sudo gpsdctl add \($0)` make" } ?? "starting gpsd anew makes") gpsd open it again."
    )
  }

  var noPosition: SourceProblem {
    SourceProblem(
      .noPosition, message: "find a position: the receiver of \(server) has none yet",
      remedy: "Give it a clear view of the sky; a cold start takes some minutes.")
  }

  var noReceiverReports: SourceProblem {
    SourceProblem(
      .noReceiver, message: "find a receiver: \(server) sends reports, but none of a satellite receiver",
      remedy: "Connect a receiver to gpsd. An AIS radio reports where ships are, not where this device is.")
  }

  var oldPosition: SourceProblem {
    SourceProblem(
      .noPosition, message: "find a position: the receiver of \(server) repeats an old one",
      remedy: "Give it a clear view of the sky.")
  }

  var noCompass: SourceProblem {
    SourceProblem(.noCompass, message: "find a heading: no device of \(server) has a compass")
  }
}
