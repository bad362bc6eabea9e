import ArgumentParser
import Whereabouts

/// Which store, and whose part of it: the same for every command that looks into one.
struct StoreOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      """
      The store: a file that keeps fixes, trips, fences and events. The standard is \(StorePath.standardForPeople).
      """, valueName: "file"),
    completion: .file(extensions: ["sqlite"]))
  var store: String?

  @Option(
    help: ArgumentHelp("Whose, where a store holds more than this device.", valueName: "name"),
    transform: StoreOptions.device)
  var device: DeviceID?

  init() {}

  func validate() throws {
    if store?.isEmpty == true { throw ValidationError("--store needs a file") }
  }

  private static func device(_ name: String) throws -> DeviceID {
    guard !name.isEmpty else { throw ValidationError("a device has a name") }
    return DeviceID(rawValue: name)
  }

  /// Where the store is, there or not.
  func path() throws(CommandFailure) -> StorePath {
    if let store { return StorePath(store) }
    guard let standard = StorePath.standard else {
      throw CommandFailure(
        "could not tell where the store is: there is no home; --store says it", code: .usage)
    }
    return standard
  }
}
