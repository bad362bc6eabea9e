import Whereabouts
import WhereaboutsModel

/// The state of one connection to gpsd, and its timeouts.
struct GPSDConnection {
  /// An action that is due because time has passed.
  enum DueAction {
    /// The peer sends nothing, not even a greeting.
    case notGreeted
    /// Nothing arrives, not even a reply.
    case timedOut
    /// Nothing has arrived for a while: send a request that gpsd answers at once.
    case probe
    /// The device is listed but not open: connect anew.
    case deviceInactive
    /// The server refused the watch some time ago: connect anew.
    case watchRefused
    /// gpsd did not know the device: request the list of devices again.
    case listDevices
    /// gpsd answers, but its receiver is silent.
    case silent
    /// gpsd's devices report, but nothing that a satellite receiver reports.
    case noReceiverReports
  }

  /// The timeout for gpsd's VERSION. gpsd sends it as soon as a client connects; a starting gpsd first opens its
  /// receivers, which takes some seconds for each.
  static let greetingTimeout = Duration.seconds(5)
  /// The time without any data after which gpsd is probed; receivers report every second.
  static let idleTimeout = Duration.seconds(5)
  /// The time after which a refused watch is requested again.
  static let refusalTimeout = Duration.seconds(30)
  /// The timeout for the reply to a probe.
  static let replyTimeout = Duration.seconds(3)
  /// The time for which a receiver that reports often may be silent. Shorter than
  /// ``Whereabouts/FailoverSettings/silence``, so that the reason is known before failover restarts the source.
  static let receiverSilenceTimeout = Duration.seconds(8)
  /// The time after which a connection counts as stable, and no longer as one that gpsd closes at once.
  static let stabilityThreshold = Duration.seconds(5)
  /// The time for which only old positions may arrive.
  static let staleFixTimeout = Duration.seconds(5)
  /// The time without a heading after which the receiver counts as having no compass.
  static let compassTimeout = Duration.seconds(10)
  /// The time for which an unused connection stays open: a new demand soon after needs no new connection.
  static let lingerTime = Duration.seconds(2)

  let openedAt: Instant
  var isGreeted = false
  var isWatching = false
  /// Whether this connection has received a receiver's report.
  private(set) var hasReading = false
  /// Whether this connection has received a report of another kind, as from an AIS radio.
  var hasOtherReport = false
  /// Whether the peer is a relay of this package.
  var isRelay = false
  /// Whether the relay's last report was a problem. The report without a position that follows belongs to it.
  var hasRelayProblem = false
  /// gpsd's devices by path, and whether each is open.
  var devices: [String: Bool] = [:]
  /// The time of a receiver's last report, or of the beginning of the watch.
  private var lastReading: Instant
  /// The time to connect anew because the device is not open.
  var inactiveAt: Instant?
  /// The time to ask again for a device that gpsd did not know.
  var retryDeviceAt: Instant?
  /// The time to connect anew because the server refused the watch.
  var watchRefusedUntil: Instant?
  /// The time to close the connection; without demand until then.
  var closesAt: Instant?
  private var lastBytes: Instant
  private var probedAt: Instant?
  private var isSilent = false
  private var pauses = ReceiverPauses()

  init(at now: Instant) {
    openedAt = now
    lastReading = now
    lastBytes = now
  }

  mutating func recordReceipt(at now: Instant) {
    lastBytes = now
    probedAt = nil
  }

  /// Records a receiver's report, after which a silence is a new one.
  mutating func recordReading(at now: Instant) {
    if hasReading { pauses.recordData(at: now, after: lastReading) }
    lastReading = now
    hasReading = true
    watchRefusedUntil = nil
    isSilent = false
  }

  mutating func beginWatching(at now: Instant) {
    retryDeviceAt = nil
    inactiveAt = nil
    watchRefusedUntil = nil
    isWatching = false
    lastReading = now
    isSilent = false
  }

  /// The earliest time at which an action may be due.
  var nextWake: Instant {
    if let closesAt { return closesAt }
    if !isGreeted { return openedAt.advanced(by: Self.greetingTimeout) }
    let life = probedAt.map { $0.advanced(by: Self.replyTimeout) } ?? lastBytes.advanced(by: Self.idleTimeout)
    let others = [inactiveAt, retryDeviceAt, watchRefusedUntil, silentAt].compactMap { $0 }
    return others.min().map { min($0, life) } ?? life
  }

  /// The time at which the receiver counts as silent; `nil` without a receiver, or once reported, or while gpsd has
  /// not answered the probe: then gpsd may be what is silent.
  private var silentAt: Instant? {
    guard isWatching, inactiveAt == nil, devices.values.contains(true), !isSilent, probedAt == nil else {
      return nil
    }
    return lastReading.advanced(by: pauses.silenceTimeout(atLeast: Self.receiverSilenceTimeout))
  }

  /// Returns the action that is due, one for each call.
  mutating func dueAction(at now: Instant) -> DueAction? {
    guard isGreeted else { return now >= openedAt.advanced(by: Self.greetingTimeout) ? .notGreeted : nil }
    if let probedAt, now >= probedAt.advanced(by: Self.replyTimeout) { return .timedOut }
    if let inactiveAt, now >= inactiveAt { return .deviceInactive }
    if let watchRefusedUntil, now >= watchRefusedUntil { return .watchRefused }
    if let silentAt, now >= silentAt {
      isSilent = true
      return hasOtherReport && !hasReading ? .noReceiverReports : .silent
    }
    if let asksAt = retryDeviceAt, now >= asksAt {
      retryDeviceAt = now.advanced(by: GPSDBackoff.initialMaxDelay)
      return .listDevices
    }
    if probedAt == nil, now >= lastBytes.advanced(by: Self.idleTimeout) {
      probedAt = now
      return .probe
    }
    return nil
  }
}
