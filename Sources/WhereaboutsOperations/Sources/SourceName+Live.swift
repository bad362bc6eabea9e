package import Whereabouts
import WhereaboutsEngine
import WhereaboutsGeoClue
package import WhereaboutsSources
import WhereaboutsSystem

extension SourceName {
  /// Returns the live source with its fallbacks; a recording has none.
  ///
  /// `FailoverSource` also watches a single source: it reports the health of the source and restarts a silent source.
  ///
  /// - Parameter notesDevices: whether standard error states which of gpsd's devices is used where several have fixes.
  func makeLiveSource(notesDevices: Bool = false) throws(CommandError) -> FailoverSource {
    if case .automatic = self {
      let gpsd = GPSDAddress()
      return .automatic(
        with: [Self.geoClueMember].compactMap(\.self), gpsd: notesDevices ? gpsd.notingSource : gpsd.source)
    }
    var members: [FailoverSource.Member] = []
    for source in self.members { members.append(try source.makeMember(notesDevices)) }
    return FailoverSource(members)
  }

  private func makeMember(_ notesDevices: Bool) throws(CommandError) -> FailoverSource.Member {
    switch self {
    case .gpsd(let gpsd):
      return FailoverSource.Member(
        Failover.Member(name: gpsd.name), notesDevices ? gpsd.notingSource : gpsd.source)
    case .receiver(let receiver):
      return FailoverSource.Member(Failover.Member(name: receiver.name), receiver.source)
    case .geoClue:
      guard let member = Self.geoClueMember else {
        throw CommandError("could not use geoclue: \(Self.geoClueUnavailableReason)")
      }
      return member
    case .replay: throw CommandError("could not use a recording as a live source")
    case .automatic, .failover: throw CommandError("could not use \(name) as one of several sources")
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

  /// Returns the problem of the text of a source, or of several with commas between; `nil` if the text is valid.
  package static func problem(ofList text: String) -> String? {
    do throws(ParseError) {
      guard case .replay(let replay) = try SourceName(list: text), replay.path != "-",
        System.status(atPath: replay.path) == nil
      else { return nil }
      return "The file \(replay.path) to replay does not exist."
    } catch {
      return error.explanation
    }
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

extension GPSDAddress {
  /// The source, which states on standard error which device is used where several have fixes.
  fileprivate var notingSource: GPSDSource {
    observedSource(onSecondDevice: { StandardError.print(deviceNote(used: $0, other: $1)) })
  }

  /// Returns the note that several devices have fixes, with the used one and the way to choose.
  func deviceNote(used: String, other: String) -> String {
    var text = """
      whereabouts: several devices of \(name) have fixes. \(used) is used, and another device only after 3 s \
      without a fix.
      """
    // A device with another name, as of a network, has no place in the name of a source.
    guard let path = [other, used].first(where: { $0.hasPrefix("/") }) else { return text }
    var single = self
    single.device = path
    text += " For one device only, pass its path, as in --source \(single.name.shellQuoted)"
    return text
  }
}
