public import Whereabouts
import WhereaboutsCore

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// A receiver that sends NMEA 0183: at a serial port, over the network, through a pipe.
///
/// With no demand the port is closed, so that the receiver can rest and others can have it; there are no timers then.
/// What goes wrong is told and tried again without end:
///
/// - **Serial ports** are opened for this process alone, without becoming its terminal. Their speed is found out unless it
///   is given. A device that is unplugged is gone on with within a second of its return, as a new segment; half a sentence
///   from before is not joined to what comes after. One that this process may not read is said to be denied, with the group
///   to join, and one that another program has is said to be in use, with its name where that can be found.
/// - **Servers** are connected to again, at first soon and then every 30 s. A connection over which nothing comes is taken
///   for dead after 20 s, and replaced; one that was replaced in vain is given twice as long each time, up to five minutes.
/// - **Datagrams** are taken from one sender, as ``ReceiverPort/udp(port:host:)`` says. Another that is listened to after
///   the first fell silent is reported as trouble with both addresses, and begins a new segment.
/// - **What can never work**, such as a folder in place of a device, is ``Whereabouts/SourceTrouble/Code/unusable``: the
///   source gives up until it is asked again.
/// - **A named pipe** whose writer is gone is opened again. What waits in it from before there was a demand is thrown away,
///   as on standard input, whose end is the end of the source.
///
/// **Fixes** are those of ``WhereaboutsFormats/NMEADecoder``, given with the last sentence of an instant, or when the
/// receiver pauses for 250 ms in the midst of one. After a line was lost nothing is given that is not later than what was
/// given. Their age counts from arrival. **No fix** is told as ``Whereabouts/SourceTrouble/Code/noPosition``, nothing
/// for 5 s as ``Whereabouts/SourceTrouble/Code/silent``, sentences for 4 s that say nothing of a position, or repeat one
/// instant, as ``Whereabouts/SourceTrouble/Code/noPosition`` too, and bytes that are no sentences as
/// ``Whereabouts/SourceTrouble/Code/notUnderstood`` with what they seem to be. A receiver that sends no heading within
/// 10 s is said to have no compass.
///
/// Dates that are whole rounds of 1024 weeks too early are repaired: none can be from before this program was written, or,
/// where the system knows today's date, from more than 1023 weeks ago less a year.
public struct ReceiverSource: LocationSource {
  /// What tests shorten.
  struct Settings: Hashable, Sendable {
    var session = ReceiverSession.Settings()
    var pace = RetryPace.Settings()
    /// How long a connection may be silent.
    var patience = Duration.seconds(20)
    var longestPatience = Duration.seconds(300)
  }

  /// Where the receiver is.
  public let port: ReceiverPort
  private let settings: Settings

  /// A receiver at a port, opened when there is demand.
  ///
  /// - Parameters:
  ///   - port: where it is.
  ///   - acceptsMissingChecksums: whether sentences without a checksum are read. One that has lost a part of itself can't
  ///     be told from a whole one then.
  public init(_ port: ReceiverPort, acceptsMissingChecksums: Bool = false) {
    var settings = Settings()
    settings.session.acceptsMissingChecksums = acceptsMissingChecksums
    self.init(port, settings: settings)
  }

  init(_ port: ReceiverPort, settings: Settings) {
    self.port = port
    self.settings = settings
  }

  private enum Order {
    case demand(Demand)
    /// There will never be more.
    case over
  }

  /// Reads the receiver while there is demand.
  ///
  /// - Ends: at the end of standard input, and when the task is cancelled.
  public func run(_ link: SourceLink) async {
    let (orders, ordersIn) = AsyncStream.makeStream(of: Order.self)
    await withTaskGroup { group in
      group.addTask {
        for await demand in link.demands { ordersIn.yield(.demand(demand)) }
        ordersIn.finish()
      }
      var keeping: Task<ReceiverMemory, Never>?
      var memory = ReceiverMemory()
      var present = Demand.off
      for await order in orders {
        guard case .demand(let demand) = order else { break }
        // What differs in its quality alone changes nothing: the receiver sends what it sends.
        let isOver = demand == .off || demand == present
        present = demand
        if isOver, let kept = keeping {
          kept.cancel()
          memory = await kept.value
          keeping = nil
        }
        if demand != .off, keeping == nil { keeping = keep(link, memory, ordersIn) }
      }
      group.cancelAll()
      keeping?.cancel()
      _ = await keeping?.value
    }
  }

  private func keep(
    _ link: SourceLink, _ memory: ReceiverMemory, _ orders: AsyncStream<Order>.Continuation
  ) -> Task<ReceiverMemory, Never> {
    var settings = settings
    settings.session.notBefore = settings.session.notBefore ?? Self.earliest(now: Self.wall)
    return Task { [port, settings] in
      var keeper = ReceiverKeeper(port, link: link, settings: settings, memory: memory)
      if await keeper.run() { orders.yield(.over) }
      return keeper.memory
    }
  }
}

extension ReceiverSource {
  /// No receiver sent anything to this program before.
  private static let written = UTCTime(CivilTime(year: 2026, month: 1, day: 1))

  /// The day before which a date is wrong by rounds of 1024 weeks.
  ///
  /// A receiver that has lost count of the weeks tells a date of 1024 weeks ago, or a multiple of that. Whatever is told
  /// from later on is told on purpose, such as by a recording that is played over a line. A system without a clock begins
  /// in 1970 or when it was shut down; then only dates from before this program was written are known to be wrong.
  static func earliest(now: UTCTime?) -> UTCTime? {
    guard let written, let now else { return written }
    let isPlausible = now >= written && now < written.advanced(by: .seconds(20 * 365 * 86_400))
    return isPlausible ? now.advanced(by: .seconds(-(1024 - 52) * 7 * 86_400)) : written
  }

  /// What the system says that time is.
  static var wall: UTCTime? {
    var time = timespec()
    guard clock_gettime(CLOCK_REALTIME, &time) == 0 else { return nil }
    let (nanoseconds, overflow) = Int64(time.tv_sec).multipliedReportingOverflow(by: 1_000_000_000)
    return overflow ? nil : UTCTime(nanosecondsSince1970: nanoseconds &+ Int64(time.tv_nsec))
  }
}
