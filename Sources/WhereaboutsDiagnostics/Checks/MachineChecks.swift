package import WhereaboutsModel
import WhereaboutsReports
import WhereaboutsSources
import WhereaboutsSystem

/// Checks of the machine itself.
package enum MachineChecks {
  // MARK: - The clock

  /// The date of this code. A system clock before this date is wrong.
  private static let written = UTCTime(CivilTime(year: 2026, month: 1, day: 1))
  /// The tolerance of the clock, in seconds.
  private static let clockTolerance = 10.0

  /// The remedy for a wrong clock, without the full stop.
  private static let setClock =
    "Set it, or let the network do so: `timedatectl set-ntp true`. Fixes of live receivers are used all the same"

  /// Checks the system clock against a live source and against the date of this code.
  ///
  /// - Parameter lead: the lead of the system clock over the time of a live source.
  package static func clock(now: UTCTime, lead: Duration?) -> MachineFinding {
    let text = "\(now.dateText) \(now.clockText) UTC"
    if let lead, abs(lead.inSeconds) > clockTolerance {
      let size = Quantities.duration(abs(lead.inSeconds))
      let remedy =
        lead > .zero
        ? setClock + "."
        : setClock + "; those of the desktop's location service are refused while the clock is behind them."
      return MachineFinding(
        name: "clock", state: .odd,
        text: "\(text), \(size) \(lead > .zero ? "ahead of" : "behind") the receiver's", remedy: remedy)
    }
    if let written, now < written {
      return MachineFinding(
        name: "clock", state: .odd, text: "\(text), which can't be", remedy: setClock + ".")
    }
    // The date may be assumed: some receivers state a time of day alone.
    return MachineFinding(
      name: "clock", state: .good, text: lead == nil ? text : "\(text); the time agrees with the receiver's")
  }

  // MARK: - The store

  /// The state of the store, as its reader found it.
  package enum StoreState {
    /// There is no default path.
    case noPath
    /// There is no store at the path.
    case missing(path: String)
    case readable(path: String)
    /// The store cannot be read, for this reason.
    case unreadable(String)
  }

  /// Reports the state of the store.
  package static func store(_ state: StoreState) -> MachineFinding {
    func finding(_ state: MachineFinding.State, _ text: String, _ remedy: String? = nil) -> MachineFinding {
      MachineFinding(name: "store", state: state, text: text, remedy: remedy)
    }
    return switch state {
    case .noPath:
      finding(.odd, "no default store path: HOME and XDG_DATA_HOME are not set", "Pass `--store FILE`.")
    case .missing(let path): finding(.good, "none yet; `whereabouts track` makes \(path)")
    case .readable(let path): finding(.good, path)
    case .unreadable(let reason): finding(.bad, reason)
    }
  }

  // MARK: - The power

  /// Reports the power supply; returns `nil` on a system without information about its power supply.
  package static func power(_ state: PowerState = PowerSupplies().state(isForeground: true))
    -> MachineFinding?
  {
    guard state.isCharging != nil || state.batteryLevel != nil else { return nil }
    var parts = state.isCharging.map { [$0 ? "plugged in" : "on battery"] } ?? []
    if let level = state.batteryLevel { parts.append("at \((level * 100).fixed(0)) %") }
    if state.isLowPowerMode { parts.append("saving power") }
    return MachineFinding(name: "power", state: .good, text: parts.joined(separator: ", "))
  }

  // MARK: - The compass

  /// Checks for a compass sensor of the machine, apart from receivers.
  package static func compass(_ folder: String = "/sys/bus/iio/devices") -> MachineFinding? {
    let sensors = Folder.names(in: folder).filter { name in
      ["in_magn_x_raw", "in_rot_from_north_magnetic_tilt_comp_raw"].contains {
        access("\(folder)/\(name)/\($0)", F_OK) == 0
      }
    }
    guard !sensors.isEmpty else { return nil }
    return MachineFinding(
      name: "compass", state: .odd,
      text:
        "there is a magnetic sensor (\(sensors.joined(separator: ", "))), which this program does not read yet; "
        + "headings come from receivers and instruments")
  }
}
