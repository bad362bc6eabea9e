package import WhereaboutsModel

#if Upload
  import WhereaboutsClient
#endif

/// The sources of the server that runs on the standard store of this machine.
package enum ServedSources {
  /// Returns the health of each source; empty without such a server, and where its socket can't be used.
  package static func health() async -> [SourceHealth] {
    #if Upload
      guard let store = StorePath.standard,
        let records = try? await ServerRecords.connect(toServerOf: store, device: .this)
      else { return [] }
      return (try? await records.client.sources()) ?? []
    #else
      return []
    #endif
  }
}
