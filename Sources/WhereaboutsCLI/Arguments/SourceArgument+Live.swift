import Whereabouts
import WhereaboutsCore
import WhereaboutsGeoClue
import WhereaboutsSources

extension SourceArgument {
  /// The source of what is live, with those that step in for it; a recording has none.
  ///
  /// One source alone is watched over too: how it is doing is told, and it is started again when it falls silent.
  func live() throws(CommandFailure) -> FailoverSource {
    switch self {
    case .automatic: return .automatic(with: [Self.geoClueMember].compactMap(\.self))
    case .gpsd(let gpsd): return FailoverSource(gpsd.source, name: gpsd.name)
    case .receiver(let receiver): return FailoverSource(receiver.source, name: receiver.name)
    case .geoClue:
      guard let member = Self.geoClueMember else {
        throw CommandFailure(
          "could not use geoclue: this program was built without it (`swift build --traits GeoClue` builds it in)"
        )
      }
      return FailoverSource([member])
    case .replay: throw CommandFailure("could not take a recording for a live source")
    }
  }

  private static var geoClueMember: FailoverSource.Member? {
    #if GeoClue && os(Linux)
      // It tells moves, and where nothing moves it is silent.
      FailoverSource.Member(
        Failover.Member(name: "geoclue", isSteady: false),
        GeoClueSource(GeoClueSettings(desktopID: "whereabouts")))
    #else
      nil
    #endif
  }
}
