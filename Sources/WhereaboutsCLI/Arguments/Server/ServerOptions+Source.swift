import Whereabouts
import WhereaboutsEngine
import WhereaboutsModel
import WhereaboutsOperations
import WhereaboutsSources

#if Upload
  import WhereaboutsClient
#endif

extension ServerOptions {
  /// Returns the source of a server's device: of the server that was given or, in place of the sources of this machine,
  /// of the server that uses them and runs on the standard store. Returns `nil` for none.
  ///
  /// - Parameters:
  ///   - device: the device; `nil` for this machine's, or the only one.
  ///   - source: the source as given.
  func liveSource(of device: DeviceID?, for source: SourceName) async throws -> FailoverSource? {
    try requireClient()
    #if Upload
      if let address = try address() {
        return Self.source(try await ServerRecords.connect(to: address, device: device).requiredDevice())
      }
      guard source == .automatic, let store = StorePath.standard,
        let records = try await ServerRecords.connect(toServerOf: store, device: device ?? .this)
      else { return nil }
      guard device == nil else { return Self.source(try records.requiredDevice()) }
      guard try await records.hasSource else { return nil }
      return Self.source(try records.requiredDevice())
    #else
      return nil
    #endif
  }

  #if Upload
    private static func source(_ device: RemoteDevice) -> FailoverSource {
      // A phone reports at its own times, so its silence is no evidence.
      FailoverSource([
        FailoverSource.Member(Failover.Member(name: "server", isSteady: false), ServerSource(device))
      ])
    }
  #endif
}
