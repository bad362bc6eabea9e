public import Whereabouts

/// Watches the power of a Linux host while anything is needed of the source; without a demand it wakes up for nothing.
///
/// It looks once in a while, at once where a demand begins. A change is noticed as late as the pause between two looks:
/// what it decides about goes on for minutes.
public struct SystemPower: PowerMonitor {
  private let supplies: PowerSupplies
  private let isForeground: Bool
  private let pause: Duration

  /// A monitor.
  ///
  /// - Parameters:
  ///   - isForeground: whether somebody looks, as at a terminal. That can't be seen here.
  ///   - supplies: where to look.
  ///   - pause: how long to wait from one look to the next.
  public init(
    isForeground: Bool, supplies: PowerSupplies = PowerSupplies(), pause: Duration = .seconds(30)
  ) {
    self.isForeground = isForeground
    self.supplies = supplies
    self.pause = pause
  }

  /// Looks and tells while anything is needed.
  public func run(_ link: PowerLink) async {
    var looking: Task<Void, Never>?
    for await isNeeded in link.needs {
      guard isNeeded else {
        looking?.cancel()
        looking = nil
        continue
      }
      guard looking == nil else { continue }
      link.tell(supplies.state(isForeground: isForeground))
      looking = Task {
        while (try? await Task.sleep(for: pause)) != nil {
          link.tell(supplies.state(isForeground: isForeground))
        }
      }
    }
    looking?.cancel()
  }
}
