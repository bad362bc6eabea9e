package import Whereabouts
import WhereaboutsEngine
import WhereaboutsGeoClue
package import WhereaboutsSources

extension SourceName {
  /// Returns the live source with its fallbacks; a recording has none.
  ///
  /// `FailoverSource` also watches a single source: it reports the health of the source and restarts a silent source.
  func makeLiveSource() throws(CommandError) -> FailoverSource {
    switch self {
    case .automatic: return .automatic(with: [Self.geoClueMember].compactMap(\.self))
    case .gpsd(let gpsd): return FailoverSource(gpsd.source, name: gpsd.name)
    case .receiver(let receiver): return FailoverSource(receiver.source, name: receiver.name)
    case .geoClue:
      guard let member = Self.geoClueMember else {
        throw CommandError("could not use geoclue: \(Self.geoClueUnavailableReason)")
      }
      return FailoverSource([member])
    case .replay: throw CommandError("could not use a recording as a live source")
    }
  }

  /// Returns the source, live or recorded.
  package func anySource() throws(CommandError) -> any LocationSource {
    if case .replay(let replay) = self { replay.source(until: nil) } else { try makeLiveSource() }
  }

  /// The reason why this build cannot use GeoClue, and the remedy.
  private static var geoClueUnavailableReason: String {
    #if os(Linux)
      "this program was built without GeoClue support. Build it with `swift build --product whereabouts`."
    #else
      "it is a service of Linux. Pass another source."
    #endif
  }

  private static var geoClueMember: FailoverSource.Member? {
    #if GeoClue && os(Linux)
      // GeoClue reports only movement, so a device at rest sends no fixes.
      FailoverSource.Member(
        Failover.Member(name: "geoclue", isSteady: false),
        GeoClueSource(GeoClueSettings(desktopID: "whereabouts")))
    #else
      nil
    #endif
  }
}
