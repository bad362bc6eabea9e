import ArgumentParser
import WhereaboutsOperations
import WhereaboutsSources

/// The options for recording a run in a store.
struct StorageOptions: ParsableArguments {
  @OptionGroup var place: StoreOptions

  @Flag(
    help: """
      Store nothing. A recording is stored only with --store, because it does not show the current location of \
      this device.
      """)
  var noStore = false

  init() {}

  func validate() throws {
    if noStore, place.store != nil { throw ValidationError("--store and --no-store can't be combined") }
  }

  /// Opens the store that records the run; returns `nil` if the run is not recorded, or the disk is full.
  func openStore(of source: SourceName, isRecorded: Bool) throws(CommandError) -> OpenStore? {
    guard !noStore, place.store != nil || !isRecorded else { return nil }
    return try OpenStore.recording(place.selection, of: source)
  }
}
