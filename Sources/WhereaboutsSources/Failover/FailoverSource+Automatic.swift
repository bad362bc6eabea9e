public import Whereabouts
import WhereaboutsEngine

extension LocationSource where Self == FailoverSource {
  /// The automatic source: gpsd on this machine, or else an attached receiver. The best source that delivers is used.
  public static var automatic: FailoverSource { .automatic(with: []) }

  /// Returns the automatic source with more members: gpsd on this machine, an attached receiver, then the others.
  ///
  /// - Parameter others: sources that rank after gpsd and receivers, such as the desktop's location service.
  public static func automatic(with others: [FailoverSource.Member]) -> FailoverSource {
    .automatic(with: others, gpsd: GPSDSource())
  }

  /// - Parameter gpsd: the source over gpsd on this machine.
  package static func automatic(with others: [FailoverSource.Member], gpsd: GPSDSource) -> FailoverSource {
    FailoverSource(
      [
        FailoverSource.Member(Failover.Member(name: "gpsd"), gpsd),
        // While gpsd has a receiver, nothing else may read the receiver's bytes.
        FailoverSource.Member(
          Failover.Member(name: "receiver", fallbackCondition: .withoutReceiver), AttachedReceiverSource()),
      ] + others)
  }
}
