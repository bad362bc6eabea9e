import NIOCore
public import Whereabouts
import WhereaboutsCore

/// The gpsd daemon, on this machine or another.
///
/// Connects when something is needed and asks for reports once for each connection; drops the watch when nothing is needed any
/// more, so that gpsd can rest the receiver, and closes the connection two seconds later. Without demand it does nothing at
/// all. Fixes are as `GPSDDecoder` makes them, with the age counted from arrival; of several receivers that gpsd has, one is
/// followed as long as it has fixes.
///
/// What it does about trouble, each told once:
///
/// - **Nobody listens, or the connection breaks**: it is tried again after 0.25 s, 0.5 s, then every second; after ten minutes
///   less and less often, down to every 30 s. Asking anew tries at once. That gpsd closes the connection before a
///   receiver was heard is ``Whereabouts/SourceTrouble/Code/unreachable`` too.
/// - **Nothing comes for 5 s**, as over a connection that broke while the machine slept: gpsd is asked who it is, and without an
///   answer within 3 s connected to anew.
/// - **The receiver is unplugged**, or gpsd has none: ``Whereabouts/SourceTrouble/Code/noReceiver``. It goes on when gpsd says that it is back;
///   one that gpsd has but could not open it is made to try again.
/// - **The receiver is silent for 8 s**: ``Whereabouts/SourceTrouble/Code/silent``. **It has no position**, or repeats an old one:
///   ``Whereabouts/SourceTrouble/Code/noPosition``.
/// - **Something else listens at the port**: ``Whereabouts/SourceTrouble/Code/notUnderstood``.
///
/// Bytes are read when the fixes before them have been processed: a gpsd that sends faster has to wait. Dates that are
/// whole rounds of 1024 weeks too early are repaired as ``ReceiverSource`` does.
public struct GPSDSource: LocationSource {
  private let host: String
  private let port: Int
  private let device: String?
  private let ownRelay: String

  /// gpsd at an address.
  ///
  /// - Parameters:
  ///   - host: a name or an address. `localhost` is 127.0.0.1, else ::1, without asking for names.
  ///   - port: where it listens; gpsd's own port is 2947.
  ///   - device: the one device to listen to, as gpsd calls it (`/dev/ttyACM0`); `nil` takes whichever has fixes.
  public init(host: String = "localhost", port: Int = 2947, device: String? = nil) {
    self.init(host: host, port: port, device: device, ownRelay: RelayIdentity.revision)
  }

  init(host: String = "localhost", port: Int, device: String? = nil, ownRelay: String) {
    self.host = host
    self.port = port
    self.device = device
    self.ownRelay = ownRelay
  }

  /// Runs until it is cancelled, or nothing will ever be needed.
  public func run(_ link: SourceLink) async {
    let (events, inlet) = AsyncStream.makeStream(of: GPSDWire.Event.self)
    let wire = GPSDWire(host: host, port: port, events: inlet)
    defer { wire.close() }
    await withTaskGroup { group in
      group.addTask {
        for await demand in link.demands { inlet.yield(GPSDWire.Event(.demand(demand))) }
        inlet.finish()
      }
      await follow(events, over: wire, link)
      group.cancelAll()
    }
  }

  private func follow(_ events: AsyncStream<GPSDWire.Event>, over wire: GPSDWire, _ link: SourceLink) async {
    var session = GPSDSession(words: GPSDWords(host: host, port: port), device: device, ownRelay: ownRelay)
    let clock = ContinuousClock(), start = clock.now
    for await event in events {
      guard wire.isCurrent(event) else { continue }
      let now = Instant(start.duration(to: clock.now))
      for effect in session.handle(event.event, at: now) {
        switch effect {
        case .connect:
          session.notBefore = ReceiverSource.earliest(now: ReceiverSource.wall)
          wire.connect()
        case .send(let text): wire.send(text)
        case .close: wire.close()
        case .tell(let signal): await link.send(signal)
        }
      }
      wire.readOn(after: event)
      wire.wake(at: session.nextWake, now: Instant(start.duration(to: clock.now)))
    }
  }
}
