package import Whereabouts
package import WhereaboutsReports
import WhereaboutsStore

extension OpenStore {
  /// Calls the body with each imported fix in use, the oldest first.
  package func pastFixes(of device: DeviceID? = nil, _ body: (PastFix) -> Void) throws {
    try attempt { base in
      try base.importedFixes(of: device ?? self.device) { fix in
        body(
          PastFix(
            key: PastFix.Key(time: fix.time, seq: fix.seq), coordinate: fix.coordinate,
            accuracy: fix.accuracy, source: fix.source))
      }
    }
  }

  /// Returns the problems of the imported past of a device.
  package func findings(of device: DeviceID? = nil) throws -> [PastFinding] {
    var checker = PastChecker()
    try pastFixes(of: device) { checker.process($0) }
    return checker.finish()
  }
}
