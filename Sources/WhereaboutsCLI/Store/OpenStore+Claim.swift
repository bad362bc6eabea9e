import Whereabouts
import WhereaboutsStore

extension OpenStore {
  /// Sees that nobody else keeps what comes of this device, as long as what is returned is held.
  ///
  /// - Parameter command: what does it here, for those who come second.
  func claim(for command: String) throws(CommandFailure) -> DeviceClaim {
    do throws(StoreTrouble) { return try base.claim(device, as: "whereabouts \(command)") } catch {
      throw CommandFailure("\(error). --store or --device names another", code: CommandFailure(error).code)
    }
  }
}
