package import WhereaboutsStore
import WhereaboutsUploadQueue

/// Checks for endpoint names.
package enum EndpointNames {
  package static func missingError(_ name: String, among names: [String]) -> CommandError {
    let remedy =
      names.isEmpty
      ? "Run `whereabouts queue add` to add an endpoint."
      : "Existing endpoints: \(names.prefix(5).joined(separator: ", "))\(names.count > 5 ? " …" : ".")"
    let list = names.count > 5 ? " Run `whereabouts queue list` to list all endpoints." : ""
    return CommandError("no endpoint has the name \(name). \(remedy)\(list)")
  }

  /// Throws if the store has no endpoint of the given name.
  package static func requireEndpoint(_ name: String, in store: SQLiteStore) throws {
    let names = try store.endpoints().map(\.name)
    guard names.contains(name) else { throw missingError(name, among: names) }
  }
}
