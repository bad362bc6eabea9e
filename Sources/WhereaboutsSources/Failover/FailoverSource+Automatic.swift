public import Whereabouts
import WhereaboutsCore

extension LocationSource where Self == FailoverSource {
  /// Whatever is here: gpsd on this machine, or else a receiver that is plugged in. The best that delivers is used.
  public static var automatic: FailoverSource { .automatic(with: []) }

  /// Whatever is here: gpsd on this machine, or else a receiver that is plugged in, or else some other.
  ///
  /// - Parameter others: sources that come after these, such as the desktop's location service.
  public static func automatic(with others: [FailoverSource.Member]) -> FailoverSource {
    FailoverSource(
      [
        FailoverSource.Member(Failover.Member(name: "gpsd"), GPSDSource()),
        // Where gpsd has a receiver, its bytes are not to be taken away.
        FailoverSource.Member(
          Failover.Member(name: "receiver", standIn: .withoutReceiver), AttachedReceiverSource()),
      ] + others)
  }
}
