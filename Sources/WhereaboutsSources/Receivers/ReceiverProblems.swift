import SystemPackage
import WhereaboutsModel

/// The problems of a receiver, in words.
struct ReceiverProblems: Sendable {
  let port: ReceiverPort

  private var isSerial: Bool { if case .serial = port { true } else { false } }

  // MARK: Data

  var noFix: SourceProblem {
    SourceProblem(
      .noPosition, message: "find a position: the receiver at \(port) has no fix",
      remedy: "It needs a clear view of the sky, and after a cold start some minutes.")
  }

  var noPositionSentences: SourceProblem {
    SourceProblem(
      .noPosition, message: "find a position: \(port) sends sentences, but none with a position",
      remedy: "Set the receiver to send RMC or GGA.")
  }

  var repeatedTime: SourceProblem {
    SourceProblem(
      .noPosition, message: "find a position: the receiver at \(port) repeats one instant",
      remedy:
        "Its clock stands still: give it a clear view of the sky, and turn it off and on if that does not help."
    )
  }

  func senderChanged(old: String, new: String) -> SourceProblem {
    SourceProblem(
      .silent, message: "hear from \(old) any more at \(port): datagrams of \(new) are used from now on",
      remedy: "Where only one of them is meant, end the other.")
  }

  var silent: SourceProblem {
    let remedy: String? =
      switch port {
      case .serial: "Check that it is a receiver, that it has power, and that it is set to send NMEA 0183."
      case .tcp: "Check that its receiver is on."
      case .udp(let port, _): "Check that something sends NMEA 0183 to port \(port) of this computer."
      case .file: "Check that something writes NMEA 0183 to it."
      case .standardInput: nil
      }
    return SourceProblem(.silent, message: "hear anything from \(port): nothing comes", remedy: remedy)
  }

  /// The silence of a receiver whose interval is not known yet.
  var silentSinceFirstData: SourceProblem {
    SourceProblem(
      .silent, message: "hear more from \(port) yet: it has sent once",
      remedy: "Wait, if it reports seldom: its interval is known from its second report. "
        + (silent.remedy ?? "Else check what sends."))
  }

  func notUnderstood(_ kind: ProtocolDetector.Kind, at speed: Int?, isSearched: Bool) -> SourceProblem {
    let (what, remedy): (String, String) =
      switch kind {
      case .ublox:
        (
          "u-blox's binary protocol (UBX) comes, and no NMEA 0183",
          "Set the receiver to send NMEA, or let gpsd read it and use gpsd as the source."
        )
      case .sirf:
        (
          "SiRF's binary protocol comes, and no NMEA 0183",
          "Set the receiver to send NMEA, or let gpsd read it and use gpsd as the source."
        )
      case .rtcm:
        (
          "corrections (RTCM) come, and no NMEA 0183",
          "Use the port of the receiver that sends its positions."
        )
      case .gpsd: ("that is gpsd, which has a protocol of its own", "Use gpsd as the source.")
      case .uncheckedSentences:
        (
          "no sentence has a right checksum",
          "Where the receiver sends none, allow that with ?checksums=optional behind the source's name; else look at the cable."
        )
      case .text:
        (
          "text comes that is no NMEA 0183",
          port == .standardInput
            ? "Play it as a recording, as in --source replay:-." : "Use the port of a receiver."
        )
      case .noise where isSerial && isSearched:
        (
          "no speed from \(SpeedSearch.slowest) to \(SpeedSearch.fastest) makes sense of it",
          "Check that it is a receiver that sends NMEA 0183, and its cable."
        )
      case .noise where isSerial:
        (
          "bytes come that make no sense at \(speed.map(String.init) ?? "this") baud",
          "Leave the speed out to have it found out."
        )
      case .noise: ("bytes come that are no NMEA 0183", "Check what sends them.")
      }
    return SourceProblem(.notUnderstood, message: "understand \(port): \(what)", remedy: remedy)
  }

  var noCompass: SourceProblem {
    SourceProblem(.noCompass, message: "find a heading: \(port) sends none")
  }

  // MARK: Line

  var unplugged: SourceProblem {
    SourceProblem(.noReceiver, message: "read \(port): it is unplugged", remedy: "Plug it in again.")
  }

  var lineClosed: SourceProblem {
    switch port {
    case .serial: unplugged
    case .tcp:
      SourceProblem(
        .unreachable, message: "read \(port): the server has closed the connection",
        remedy: "Check that it still runs, and how many clients it accepts.")
    case .file: SourceProblem(.unreachable, message: "read \(port): no process writes to it any more")
    case .udp, .standardInput: SourceProblem(.unreachable, message: "read \(port): it is closed")
    }
  }

  var deviceNotFound: SourceProblem {
    SourceProblem(
      .noReceiver, message: "open \(port): there is no such \(isSerial ? "device" : "file")",
      remedy: isSerial ? "Plug the receiver in." : nil)
  }

  func permissionDenied(_ path: String) -> SourceProblem {
    SourceProblem(
      .notPermitted, message: "open \(path): permission denied", remedy: AccessRemedy(path: path)?.text)
  }

  func inUse(by users: [DeviceUser]) -> SourceProblem {
    let who = users.isEmpty ? "another program" : users.map(\.description).joined(separator: ", ")
    let remedy =
      if users.contains(where: { $0.name == "gpsd" }) {
        "Use gpsd as the source, or have it let go of the device: `sudo systemctl stop gpsd.socket gpsd`."
      } else if users.contains(where: { $0.name == "whereabouts" }) {
        "It is used already: see what that command prints, or end it. `whereabouts relay` lets several programs share it."
      } else {
        "Two programs would take each other's bytes: end the other one."
      }
    let verb = users.count > 1 ? "have" : "has"
    return SourceProblem(.inUse, message: "open \(port): \(who) \(verb) it open", remedy: remedy)
  }

  /// - Parameter error: the system's error; `nil` if the host is not known or does not answer.
  func connectionFailed(_ reason: String, _ error: Errno?) -> SourceProblem {
    let remedy: String? =
      switch error {
      case .connectionRefused?:
        "Start the program that sends NMEA 0183 there, or check the port: 10110 is the usual one."
      case nil, .noRouteToHost?, .networkUnreachable?, .timedOut?:
        "Check the name of the host, that it is on, and the network between."
      case .permissionDenied?, .notPermitted?:
        "Check the routes and the firewall of this computer: they forbid the connection."
      case .some: nil
      }
    return SourceProblem(.unreachable, message: "connect to \(port): \(reason)", remedy: remedy)
  }

  func listeningFailed(_ reason: String, _ error: Errno?) -> SourceProblem {
    SourceProblem(
      .unreachable, message: "listen at \(port): \(reason)",
      remedy: error == .addressNotAvailable
        ? "Give an address of this computer, that of a group, or none, as in udp://:10110." : nil)
  }

  func openFailed(_ reason: String) -> SourceProblem {
    SourceProblem(.unreachable, message: "open \(port): \(reason)")
  }

  /// Returns the problem of a device that can never be read.
  func unsupportedDevice(
    _ reason: String, remedy: String = "Name a receiver's device, as in /dev/ttyACM0, or a named pipe."
  )
    -> SourceProblem
  {
    SourceProblem(.unusable, message: "open \(port): \(reason)", remedy: remedy)
  }

  var regularFile: SourceProblem {
    SourceProblem(
      .unreadable, message: "listen to \(port): it is a file, and nothing new comes from one",
      remedy: "Play it as a recording.")
  }
}

extension SpeedSearch {
  static let slowest = commonSpeeds.min() ?? 0
  static let fastest = commonSpeeds.max() ?? 0
}
