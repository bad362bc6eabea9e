import ArgumentParser
import Whereabouts
import WhereaboutsModel
import WhereaboutsOperations

/// The options for the records of a device, in a store or at a server.
struct RecordsOptions: ParsableArguments {
  @OptionGroup var place: StoreOptions

  @OptionGroup(title: "Server") var server: ServerOptions

  init() {}

  func validate() throws {
    if place.store != nil, server.server != nil {
      throw ValidationError("--store and --server can't be combined")
    }
  }

  /// Opens the records for reading.
  ///
  /// - Throws: an error if the store does not exist.
  func reading() async throws -> any DeviceRecords {
    if let remote = try await remote(readsPast: true) { return remote }
    return try OpenStore.readingPast(place.selection)
  }

  /// Opens the records for reading; returns `nil` if the store does not exist.
  func readingIfThere() async throws -> (any DeviceRecords)? {
    if let remote = try await remote() { return remote }
    return try OpenStore.readingIfThere(place.selection)
  }

  /// Opens the records for writing.
  ///
  /// - Parameter creates: whether a missing store is created; a missing store is an error otherwise.
  func writing(creates: Bool = true) async throws -> any DeviceRecords {
    if let remote = try await remote() { return remote }
    return try creates ? OpenStore.writing(place.selection) : OpenStore.writingExisting(place.selection)
  }

  /// Returns the records at the server that was given, or at the one that runs on the store; `nil` for none.
  func remote(readsPast: Bool = false) async throws -> (any DeviceRecords)? {
    try server.requireClient()
    #if Upload
      if let address = try server.address() {
        return try await ServerRecords.connect(to: address, device: place.device, readsPast: readsPast)
      }
      return try await ServerRecords.connect(toServerOf: place.selection, readsPast: readsPast)
    #else
      return nil
    #endif
  }
}
