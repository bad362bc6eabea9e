package import Whereabouts
package import WhereaboutsModel
package import WhereaboutsSources
import WhereaboutsStore

extension SourceName {
  /// Returns a manager over the source. The source starts with `startSource()`.
  ///
  /// - Parameters:
  ///   - limit: the time at which the source ends early.
  ///   - needsTimes: whether a recording fails if most of its fixes have no time.
  ///   - keeping: the store that records the fixes and resumes the recording, if any.
  ///   - server: the source of a server's device, which takes the place of this machine's sources.
  ///   - journal: the journal of all inputs, if any.
  ///   - power: the power settings.
  ///   - monitor: the monitor of the host's power, if any.
  ///   - notesDevices: whether standard error states which of gpsd's devices is used where several have fixes.
  package func manager(
    until limit: TimeLimit?, needsTimes: Bool, keeping: RecordingResumer?, server: FailoverSource?,
    journal: CommandJournal?, power: PowerSettings, monitor: (any PowerMonitor)?, notesDevices: Bool = false
  ) throws(CommandError) -> LocationManager {
    let settings = ManagerSettings(power: power)
    let device = keeping?.store.device ?? .this
    guard case .replay(let replay) = self else {
      let live = if let server { server } else { try makeLiveSource(notesDevices: notesDevices) }
      let limited: any LocationSource = limit.map { TimeLimitedSource(live, $0) } ?? live
      return LocationManager(
        source: limited, clock: .system, settings: settings, journal: journal, store: keeping?.store.base,
        device: device, power: monitor, startsSource: false)
    }
    let source = replay.source(until: limit, needsTimes: needsTimes, keeping: keeping)
    return LocationManager(
      source: source, settings: settings, journal: journal, store: keeping?.store.base, device: device,
      power: monitor, startsSource: false)
  }
}
