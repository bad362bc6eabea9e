import Whereabouts
import WhereaboutsCore
import WhereaboutsSources

extension SourceArgument {
  /// The source of what is live, with those that step in for it; a recording has none.
  ///
  /// One source alone is watched over too: how it is doing is told, and it is started again when it falls silent.
  func live() throws(CommandFailure) -> any LocationSource {
    FailoverSource(try members())
  }

  private func members() throws(CommandFailure) -> [FailoverSource.Member] {
    switch self {
    case .automatic:
      let gpsd = GPSDArgument()
      let members = [
        FailoverSource.Member(Failover.Member(name: gpsd.name), gpsd.source),
        // Where gpsd has a receiver, its bytes are not to be taken away.
        FailoverSource.Member(
          Failover.Member(name: "receiver", standIn: .withoutReceiver), AttachedReceiverSource()),
      ]
      return members + [Self.geoClueMember].compactMap(\.self)
    case .gpsd(let gpsd): return [FailoverSource.Member(Failover.Member(name: gpsd.name), gpsd.source)]
    case .receiver(let receiver):
      return [FailoverSource.Member(Failover.Member(name: receiver.name), receiver.source)]
    case .geoClue:
      guard let member = Self.geoClueMember else {
        throw CommandFailure(
          "could not use geoclue: this program was built without it (`swift build --traits GeoClue` builds it in)"
        )
      }
      return [member]
    case .replay: throw CommandFailure("could not take a recording for a live source")
    }
  }

  private static var geoClueMember: FailoverSource.Member? {
    nil
  }
}
