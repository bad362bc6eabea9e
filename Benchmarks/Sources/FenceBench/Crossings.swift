/// Enters and exits, as peers count them, by the difference between two updates of a device.
struct Crossings {
  private(set) var enters = 0, exits = 0
  private var inside: [[UInt32]]

  init(devices: Int) { inside = Array(repeating: [], count: devices) }

  /// - Parameter now: the keys of the fences that the device is in, ascending.
  mutating func process(_ now: [UInt32], of device: Int) {
    if now.isEmpty, inside[device].isEmpty { return }
    if count(now, inside[device]) { inside[device] = now }
  }

  /// Whether anything changed.
  private mutating func count(_ now: [UInt32], _ before: [UInt32]) -> Bool {
    var old = 0, new = 0, changed = false
    while old < before.count || new < now.count {
      if old < before.count, new < now.count, before[old] == now[new] {
        (old, new) = (old + 1, new + 1)
        continue
      }
      changed = true
      if new == now.count || (old < before.count && before[old] < now[new]) {
        exits += 1
        old += 1
      } else {
        enters += 1
        new += 1
      }
    }
    return changed
  }
}
