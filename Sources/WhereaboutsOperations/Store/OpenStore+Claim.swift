import Whereabouts
package import WhereaboutsStore

extension OpenStore {
  /// Claims the device. No other process can record the device while the claim exists.
  ///
  /// - Parameter command: the claiming command, for the error message of a second process.
  package func claim(for command: String) throws(CommandError) -> DeviceClaim {
    do throws(StoreError) { return try base.claim(device, as: "whereabouts \(command)") } catch {
      throw CommandError(
        """
        \(error). Pass --store or --device to use another store or device, or \(Self.storelessOptions(of: command)) \
        to store nothing.\(serverHint(for: error))
        """, code: CommandError(error).code)
    }
  }

  /// Returns the options with which a command stores nothing.
  private static func storelessOptions(of command: String) -> String {
    command == "fence watch" ? "--no-store and --fences" : "--no-store"
  }

  /// Returns how to read the fixes of the server that has claimed the device; empty if none has.
  private func serverHint(for error: StoreError) -> String {
    guard error.code == .locked, error.message.contains("(whereabouts serve)") else { return "" }
    return path == StorePath.standard
      ? " Without --source and --store, `whereabouts now` and `whereabouts watch` read the fixes of that server."
      : " With --server, `whereabouts now` and `whereabouts watch` read the fixes of that server."
  }
}
