import Atomics
public import Whereabouts
import WhereaboutsModel
import WhereaboutsSystem

/// A source over a receiver that sends NMEA 0183: at a serial port, over the network, or through a pipe.
///
/// Without demand the port is closed, so that the receiver can rest and other programs can use it; no timers run.
/// Failures are reported and tried again without end:
///
/// - **Serial ports** are opened for this process alone, without becoming its terminal. The source searches for the
///   speed unless it is given. After a device is unplugged, reading resumes within a second of its return, as a new
///   segment. A half sentence from before is dropped. If this process may not read a port, the source reports denied
///   permission, with the group to join. If another program uses a port, the source reports it as in use, with the
///   program's name where known.
/// - **Servers** are reconnected to, at first soon and then every 30 s. A connection without data counts as dead
///   after 20 s, and is replaced. After each replacement in vain the timeout doubles, up to five minutes. For a server
///   with longer pauses, the timeout becomes twice the longest pause that occurred twice, also for later demands. If a
///   replacement also waits for its first data, or soon falls silent for the same time, the pause counts from the last
///   data of the connection before.
/// - **Datagrams** are accepted from one sender, as ``ReceiverPort/udp(port:host:)`` describes. If the first falls
///   silent and another is accepted, the source reports a problem with both addresses and begins a new segment.
/// - **Unusable ports**, such as a folder in place of a device, are ``Whereabouts/SourceProblem/Code/unusable``: the
///   source gives up until the next demand.
/// - **A named pipe** is reopened after its writer has gone. Bytes from before the demand are dropped, as on standard
///   input. The end of standard input is the end of the source.
///
/// **Fixes** are those of ``WhereaboutsFormats/NMEADecoder``, given with the last sentence of an instant, or when the
/// receiver pauses for 250 ms within one. After a lost connection, fixes not later than the last one are dropped.
/// Their age counts from arrival.
///
/// **No fix** is reported as ``Whereabouts/SourceProblem/Code/noPosition``. So are sentences for 4 s that state no
/// position, or repeat one instant. No data for 5 s is ``Whereabouts/SourceProblem/Code/silent``; from a receiver that
/// sends less often, no data for twice its usual pause. Bytes that are no sentences are
/// ``Whereabouts/SourceProblem/Code/notUnderstood``, with the protocol they resemble. A receiver without a heading within
/// 10 s is reported as having no compass.
///
/// A receiver that states a time of day and no date gets the date of the arrival: the day on which the time is nearest
/// to the system's clock. A date that it states later replaces this one. A new segment begins if the two dates differ, or
/// if the system's clock is set by half a day or more. While the system's clock is certainly wrong, such fixes have no
/// time.
///
/// Dates that are whole rounds of 1024 weeks too early are repaired. No date can be from before this program was
/// written. Where the system knows today's date, none can be from more than 1023 weeks ago less a year.
public struct ReceiverSource: LocationSource {
  /// Settings that tests shorten.
  struct Settings: Hashable, Sendable {
    var session = ReceiverSession.Settings()
    var backoff = RetryBackoff.Settings()
    /// The time for which a connection may be silent.
    var silenceTimeout = Duration.seconds(20)
    var maxSilenceTimeout = Duration.seconds(300)

    /// Returns the time for which the next connection may be silent: twice the longest usual pause of one that showed
    /// how often its server sends. A server that sends nothing, or only at once, is left alone for longer each time.
    ///
    /// - Parameter present: the time for which the ended connection could be silent.
    func nextSilenceTimeout(after present: Duration, wasSilent: Bool, longestPause: Duration?) -> Duration {
      let next = longestPause.map { max(silenceTimeout, $0 * 2) } ?? (wasSilent ? present * 2 : present)
      return min(next, maxSilenceTimeout)
    }
  }

  /// The receiver's port.
  public let port: ReceiverPort
  private let settings: Settings

  /// Creates a source over a receiver at a port, opened on demand.
  ///
  /// - Parameters:
  ///   - port: the receiver's port.
  ///   - acceptsMissingChecksums: whether sentences without a checksum are read. A truncated sentence is then not
  ///     detected.
  public init(_ port: ReceiverPort, acceptsMissingChecksums: Bool = false) {
    var settings = Settings()
    settings.session.acceptsMissingChecksums = acceptsMissingChecksums
    self.init(port, settings: settings)
  }

  init(_ port: ReceiverPort, settings: Settings) {
    self.port = port
    self.settings = settings
  }

  private enum Command {
    case demand(Demand)
    /// The source has ended for good.
    case ended
  }

  /// Reads the receiver while there is demand.
  ///
  /// - Ends: at the end of standard input, and when the task is cancelled.
  public func run(_ link: SourceLink) async {
    let (orders, ordersIn) = AsyncStream.makeStream(of: Command.self)
    await withTaskGroup { group in
      group.addTask {
        for await demand in link.demands { ordersIn.yield(.demand(demand)) }
        ordersIn.finish()
      }
      var keeping: Task<ReceiverState, Never>?
      var memory = ReceiverState()
      var present = Demand.off
      let hasGivenUp = ManagedAtomic(false)
      for await order in orders {
        guard case .demand(let demand) = order else { break }
        // A changed quality changes nothing: the receiver sends the same sentences. Only after a failure or a denial, a
        // new requester waits for another try.
        let isOver = demand == .off || demand == present || hasGivenUp.load(ordering: .relaxed)
        present = demand
        if isOver, let kept = keeping {
          kept.cancel()
          memory = await kept.value
          keeping = nil
        }
        if demand != .off, keeping == nil {
          hasGivenUp.store(false, ordering: .relaxed)
          keeping = startConnection(link, memory, ordersIn, hasGivenUp)
        }
      }
      group.cancelAll()
      keeping?.cancel()
      _ = await keeping?.value
    }
  }

  private func startConnection(
    _ link: SourceLink, _ memory: ReceiverState, _ orders: AsyncStream<Command>.Continuation,
    _ hasGivenUp: ManagedAtomic<Bool>
  ) -> Task<ReceiverState, Never> {
    var settings = settings
    settings.session.notBefore = settings.session.notBefore ?? Self.earliestValidDate(now: Self.wallClock)
    return Task { [port, settings] in
      var connection = ReceiverConnection(
        port, link: link, settings: settings, state: memory, hasGivenUp: hasGivenUp)
      if await connection.run() { orders.yield(.ended) }
      return connection.state
    }
  }
}

extension ReceiverSource {
  /// The date before which no receiver sent anything to this program.
  private static let earliestReleaseDate = UTCTime(CivilTime(year: 2026, month: 1, day: 1))

  /// Returns the day before which a date is wrong by rounds of 1024 weeks.
  ///
  /// A receiver that has lost count of the weeks sends a date 1024 weeks ago, or a multiple. Later dates are
  /// intended, such as those of a recording played over a line. A system without a clock begins in 1970 or at its
  /// last shutdown; then only dates from before this program was written are known to be wrong.
  static func earliestValidDate(now: UTCTime?) -> UTCTime? {
    guard let now else { return earliestReleaseDate }
    return isPlausible(now) ? now.advanced(by: .seconds(-(1024 - 52) * 7 * 86_400)) : earliestReleaseDate
  }

  /// Returns whether the wall clock can be right.
  static func isPlausible(_ now: UTCTime) -> Bool {
    guard let earliestReleaseDate else { return false }
    return now >= earliestReleaseDate && now < earliestReleaseDate.advanced(by: .seconds(20 * 365 * 86_400))
  }

  /// The system's wall clock; `nil` where it can't be right.
  static var plausibleWallClock: UTCTime? { wallClock.flatMap { isPlausible($0) ? $0 : nil } }

  /// The system's wall clock.
  static var wallClock: UTCTime? {
    var time = timespec()
    guard clock_gettime(CLOCK_REALTIME, &time) == 0 else { return nil }
    let (nanoseconds, overflow) = Int64(time.tv_sec).multipliedReportingOverflow(by: 1_000_000_000)
    return overflow ? nil : UTCTime(nanosecondsSince1970: nanoseconds &+ Int64(time.tv_nsec))
  }
}
