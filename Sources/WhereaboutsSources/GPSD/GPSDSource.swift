import NIOCore
public import Whereabouts
import WhereaboutsModel

/// A source over the gpsd daemon, on this machine or another.
///
/// The source connects on demand and requests reports once for each connection. Without demand it ends the watch, so
/// that gpsd can switch the receiver off, and closes the connection two seconds later. `GPSDDecoder` makes the fixes;
/// their age counts from arrival. Of several receivers, one is used as long as it has fixes.
///
/// Failures, each reported once:
///
/// - **Connection refused or broken**: the source tries again after 0.25 s, 0.5 s, then every second. After ten
///   minutes the delay grows up to 30 s. A new request tries at once. If gpsd closes the connection before any
///   receiver's report, that is ``Whereabouts/SourceProblem/Code/unreachable`` too.
/// - **No data for 5 s**, as over a connection that broke while the machine slept: the source probes gpsd. Without a
///   reply within 3 s the source connects anew.
/// - **Receiver unplugged**, or none, or for 8 s reports of other devices only, such as AIS radios:
///   ``Whereabouts/SourceProblem/Code/noReceiver``. The source resumes when gpsd reports the receiver's return. If gpsd
///   could not open a receiver, the source makes gpsd try again.
/// - **Receiver silent for 8 s**, or for twice the usual pause of one that reports seldom:
///   ``Whereabouts/SourceProblem/Code/silent``. **No position**, or a repeated old one:
///   ``Whereabouts/SourceProblem/Code/noPosition``.
/// - **Not gpsd at the port**: ``Whereabouts/SourceProblem/Code/notUnderstood``. A server that answers the request for
///   reports with an error: ``Whereabouts/SourceProblem/Code/unusable``, with the server's text.
///
/// The source reads bytes when the previous fixes have been processed: a gpsd that sends faster has to wait, and
/// is not silent meanwhile. Dates that are whole rounds of 1024 weeks too early are repaired as ``ReceiverSource`` does.
public struct GPSDSource: LocationSource {
  private let host: String
  private let port: Int
  private let device: String?
  private let ownRelay: String
  private let time: RelativeClock
  private let onSecondDevice: @Sendable (_ used: String, _ other: String) -> Void

  /// Creates a source over gpsd at an address.
  ///
  /// - Parameters:
  ///   - host: a name or an address. `localhost` is 127.0.0.1, else ::1, without a name lookup.
  ///   - port: gpsd's port; the default is 2947.
  ///   - device: the only device to use, as gpsd names it (`/dev/ttyACM0`); `nil` uses any device that has fixes.
  public init(host: String = "localhost", port: Int = 2947, device: String? = nil) {
    self.init(host: host, port: port, device: device, ownRelay: RelayIdentity.revision)
  }

  /// - Parameters:
  ///   - time: the clock of the timeouts.
  ///   - onSecondDevice: called once, when a second device has fixes beside the one whose fixes are used.
  init(
    host: String = "localhost", port: Int, device: String? = nil, ownRelay: String,
    time: RelativeClock = RelativeClock(ContinuousClock()),
    onSecondDevice: @escaping @Sendable (_ used: String, _ other: String) -> Void = { _, _ in }
  ) {
    self.host = host
    self.port = port
    self.device = device
    self.ownRelay = ownRelay
    self.time = time
    self.onSecondDevice = onSecondDevice
  }

  /// Runs until the task is cancelled or demands end.
  public func run(_ link: SourceLink) async {
    let (events, inlet) = AsyncStream.makeStream(of: GPSDTransport.Event.self)
    let wire = GPSDTransport(host: host, port: port, events: inlet)
    defer { wire.close() }
    await withTaskGroup { group in
      group.addTask {
        for await demand in link.demands { inlet.yield(GPSDTransport.Event(.demand(demand))) }
        inlet.finish()
      }
      await processEvents(events, over: wire, link)
      group.cancelAll()
    }
  }

  private func processEvents(
    _ events: AsyncStream<GPSDTransport.Event>, over wire: GPSDTransport, _ link: SourceLink
  ) async {
    var session = GPSDSession(
      messages: GPSDMessages(host: host, port: port, isInstalled: InstalledProgram.path("gpsd") != nil),
      device: device, ownRelay: ownRelay)
    // The session does not count the time in which its signals are processed: nothing is read meanwhile, and gpsd is
    // not silent.
    var uncountedTime = Duration.zero
    var hasSecondDevice = false
    for await event in events {
      guard wire.isCurrent(event) else { continue }
      let now = time.now().advanced(by: .zero - uncountedTime)
      for effect in session.handle(event.event, at: now) {
        switch effect {
        case .connect:
          session.notBefore = ReceiverSource.earliestValidDate(now: ReceiverSource.wallClock)
          wire.connect()
        case .send(let text): wire.send(text)
        case .close: wire.close()
        case .emit(let signal):
          let began = time.now()
          await link.send(signal)
          uncountedTime += time.now().since(began)
        }
      }
      if !hasSecondDevice, let devices = session.devicesWithFixes {
        hasSecondDevice = true
        onSecondDevice(devices.used, devices.other)
      }
      wire.readMore(after: event)
      wire.scheduleTimer(at: session.nextWake, now: time.now().advanced(by: .zero - uncountedTime))
    }
  }
}
