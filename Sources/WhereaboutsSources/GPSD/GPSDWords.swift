import WhereaboutsCore
import WhereaboutsFormats

/// Why a connection could not be had.
struct GPSDRefusal: Hashable, Sendable {
  /// Whether nobody listens there.
  let isNobodyThere: Bool
  /// In the system's words, as a fragment.
  let reason: String
}

/// What is said to gpsd, and about it.
struct GPSDWords: Sendable {
  private let isLocal: Bool
  private let host: String
  private let place: String

  init(host: String, port: Int) {
    self.host = host
    isLocal = host == "localhost" || host == "::1" || host.hasPrefix("127.")
    place = host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)"
  }

  // MARK: - To gpsd

  static let unwatch = "?WATCH={\"enable\":false};\n"
  static let version = "?VERSION;\n"
  static let devices = "?DEVICES;\n"

  /// gpsd takes requests of 80 characters at most: a device whose name is too long is picked out of all of them here.
  func watch(_ device: String?) -> String {
    let all = "?WATCH={\"enable\":true,\"json\":true};\n"
    guard let device else { return all }
    var request = Array("?WATCH={\"enable\":true,\"json\":true,\"device\":".utf8)
    request.appendJSONString(device)
    request += Array("};\n".utf8)
    return request.count <= 81 ? String(decoding: request, as: UTF8.self) : all
  }

  // MARK: - About gpsd

  func unreachable(_ refusal: GPSDRefusal) -> SourceTrouble {
    let remedy: String? =
      switch (refusal.isNobodyThere, isLocal) {
      case (true, true):
        "Run `sudo systemctl start gpsd.socket`, or install it first with `sudo apt install gpsd`."
      case (true, false):
        "See that gpsd runs on \(host), with the option -G: without it, it listens to its own machine only."
      case (false, _): nil
      }
    return SourceTrouble(.unreachable, message: "reach gpsd at \(place): \(refusal.reason)", remedy: remedy)
  }

  var closedAtOnce: SourceTrouble {
    SourceTrouble(
      .unreachable, message: "keep a connection to gpsd at \(place): it is closed at once",
      remedy: "See whether gpsd has too many clients: it takes 64.")
  }

  var closedAfterGreeting: SourceTrouble {
    SourceTrouble(
      .unreachable, message: "keep a connection to gpsd at \(place): gpsd closes it after its greeting",
      remedy: "See whether gpsd has too many clients (it takes 64), and what it says: `journalctl -u gpsd`.")
  }

  /// - Parameter message: what the relay says, as a sentence without an end.
  func relayTrouble(_ message: String) -> SourceTrouble {
    SourceTrouble(
      .noReceiver, message: "find a receiver: the relay at \(place) says that it \(message)",
      remedy: "Run `whereabouts doctor` where the relay runs: it says what to do.")
  }

  var stranger: SourceTrouble {
    SourceTrouble(
      .notUnderstood, message: "understand what answers at \(place): it is not gpsd",
      remedy: "Check the port; gpsd's own is 2947.")
  }

  var ownRelay: SourceTrouble {
    SourceTrouble(
      .notUnderstood, message: "take fixes from \(place): it is this program's own relay",
      remedy: "Choose another source, as in --source nmea:/dev/ttyACM0.")
  }

  /// - Parameters:
  ///   - device: the one that is wanted.
  ///   - lost: the one that went.
  func noReceiver(_ device: String?, lost: String?) -> SourceTrouble {
    let path = device ?? lost
    return SourceTrouble(
      .noReceiver,
      message: path.map { "find the receiver \($0): gpsd does not have it" }
        ?? "find a receiver: gpsd has none",
      remedy: """
        Plug it in; where gpsd does not find it by itself, run `sudo gpsdctl add \(path ?? "/dev/ttyACM0")`\
        \(path == nil ? " with its own path" : "").
        """)
  }

  func silent(_ device: String?) -> SourceTrouble {
    SourceTrouble(
      .silent, message: "hear from the receiver: gpsd is there, but \(device ?? "its receiver") says nothing",
      remedy:
        "Check its cable; \(device.map { "`sudo gpsdctl remove \($0)` and `sudo gpsdctl add \($0)` make" } ?? "starting gpsd anew makes") gpsd open it again."
    )
  }

  var noPosition: SourceTrouble {
    SourceTrouble(
      .noPosition, message: "find a position: the receiver has none yet",
      remedy: "Give it a clear view of the sky; a cold start takes some minutes.")
  }

  var oldPosition: SourceTrouble {
    SourceTrouble(
      .noPosition, message: "find a position: the receiver repeats an old one",
      remedy: "Give it a clear view of the sky.")
  }

  var noCompass: SourceTrouble {
    SourceTrouble(.noCompass, message: "find a heading: no device of gpsd's has a compass")
  }
}
