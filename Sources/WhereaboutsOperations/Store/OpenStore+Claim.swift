import Whereabouts
package import WhereaboutsStore

extension OpenStore {
  /// Claims the device. No other process can record the device while the claim exists.
  ///
  /// - Parameter command: the claiming command, for the error message of a second process.
  package func claim(for command: String) throws(CommandError) -> DeviceClaim {
    do throws(StoreError) { return try base.claim(device, as: "whereabouts \(command)") } catch {
      throw CommandError(
        "\(error). Pass --store or --device to use another store or device.", code: CommandError(error).code)
    }
  }
}
