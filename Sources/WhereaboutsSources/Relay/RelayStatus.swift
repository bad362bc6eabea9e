public import WhereaboutsModel

/// The status of a relay.
public struct RelayStatus: Hashable, Sendable {
  /// The number of gpsd clients, watching or not.
  public var gpsdClients = 0
  /// The number of NMEA 0183 clients.
  public var nmeaClients = 0
  /// Whether a client watches, so that the source's receiver is on.
  public var isReceiverOn = false
  /// The number of fixes from the source.
  public var fixCount = 0
  /// The arrival of the last fix, by the wall clock; `nil` before the first.
  public var lastFix: UTCTime?
  /// The number of clients dropped because they did not read their data.
  public var droppedClients = 0
  /// The number of clients refused because their protocol had the maximum number of clients.
  public var refusedClients = 0
  /// The source's problem; `nil` while the source delivers.
  public var problem: SourceProblem?

  /// Creates the status of a relay without clients.
  public init() {}
}
