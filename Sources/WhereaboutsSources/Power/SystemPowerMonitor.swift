public import Whereabouts

/// A monitor of a Linux host's power, active only while there is demand.
///
/// The monitor reads the supplies at the beginning of a demand and then at an interval. A change is noticed up to one
/// interval late, since the decisions that depend on power last for minutes.
public struct SystemPowerMonitor: PowerMonitor {
  private let supplies: PowerSupplies
  private let isForeground: Bool
  private let interval: Duration

  /// Creates a monitor of power supplies.
  ///
  /// - Parameters:
  ///   - isForeground: whether a user is present, as at a terminal; the monitor can't detect this.
  ///   - supplies: the supplies to read.
  ///   - interval: the time between two readings.
  public init(
    isForeground: Bool, supplies: PowerSupplies = PowerSupplies(), interval: Duration = .seconds(30)
  ) {
    self.isForeground = isForeground
    self.supplies = supplies
    self.interval = interval
  }

  /// Reads and reports the power state while there is demand.
  public func run(_ link: PowerLink) async {
    var looking: Task<Void, Never>?
    for await isNeeded in link.needs {
      guard isNeeded else {
        looking?.cancel()
        looking = nil
        continue
      }
      guard looking == nil else { continue }
      link.report(supplies.state(isForeground: isForeground))
      looking = Task {
        while (try? await Task.sleep(for: interval)) != nil {
          link.report(supplies.state(isForeground: isForeground))
        }
      }
    }
    looking?.cancel()
  }
}
