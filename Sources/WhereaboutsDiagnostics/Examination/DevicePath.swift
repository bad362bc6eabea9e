import WhereaboutsSystem

/// Comparison of the paths of devices.
enum DevicePath {
  /// Returns whether two paths refer to the same device.
  static func isSame(_ path: String, _ other: String) -> Bool {
    var (one, another) = (stat(), stat())
    guard stat(path, &one) == 0, stat(other, &another) == 0 else { return path == other }
    return one.st_rdev == another.st_rdev && one.st_ino == another.st_ino
  }
}
