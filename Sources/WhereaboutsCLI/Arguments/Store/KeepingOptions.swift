import ArgumentParser

/// Whether and where a run keeps what comes.
struct KeepingOptions: ParsableArguments {
  @OptionGroup var place: StoreOptions

  @Flag(
    help: "Keep nothing. That is so for a recording without --store, too: it is not where this device is.")
  var noStore = false

  init() {}

  func validate() throws {
    if noStore, place.store != nil { throw ValidationError("--store and --no-store can't be combined") }
  }

  /// The store to keep it in, open; `nil` where nothing is kept.
  func open(isRecorded: Bool) throws(CommandFailure) -> OpenStore? {
    guard !noStore, place.store != nil || !isRecorded else { return nil }
    return try OpenStore.keeping(place)
  }
}
