import WhereaboutsCore
import WhereaboutsFormats

/// What a watch keeps besides its events: where the device was last seen of each fence, and what is on its way into the
/// events.
struct WatchState: Codable {
  /// The version of the form that is written.
  static let currentVersion = 1

  var version = Self.currentVersion
  /// The fences and what the device has seen of them.
  var snapshot: FenceSnapshot
  /// What to add to a number of the watch to get that of an event: a watch that began anew counts from 1 again.
  var base: UInt64 = 0
  /// Lines that may not be among the events yet, each with its end.
  var outgoing: [String] = []
  /// Fences that are over, and may not have been taken out of the store yet.
  var over: [Fence] = []
  /// How many lines of the events were surely told.
  var told = 0

  /// How things stood with a fence, if it was watched as it is now.
  func state(of fence: Fence) -> FenceState? {
    guard snapshot.fences.contains(where: { $0.id == fence.id && $0.area == fence.area }) else { return nil }
    return snapshot.watch.state(of: fence.id, in: snapshot.book)
  }

  /// Reads it; `nil` where nobody has watched yet.
  static func read(_ folder: FenceFolder) throws(CommandFailure) -> WatchState? {
    guard let bytes = try folder.state.read() else { return nil }
    guard let state = CodedJSON.value(WatchState.self, in: bytes), state.version <= currentVersion else {
      throw CommandFailure(
        "could not read \(folder.state.path): another version of this program has written it, or somebody has edited it. "
          + "`whereabouts fence watch --anew` begins without it")
    }
    return state
  }

  /// Reads it for somebody who only looks: where it can't be read that is said, and nothing is known.
  static func glimpse(_ folder: FenceFolder) -> WatchState? {
    do throws(CommandFailure) { return try read(folder) } catch {
      StandardError.say("whereabouts: \(error.message)")
      return nil
    }
  }

  /// Replaces what is kept, and returns when that is on the disk.
  func write(_ folder: FenceFolder) throws(CommandFailure) {
    guard let bytes = CodedJSON.bytes(of: self) else {
      throw CommandFailure("could not write \(folder.state.path): it has no JSON form")
    }
    try folder.state.write(bytes + [UInt8(ascii: "\n")])
  }
}
