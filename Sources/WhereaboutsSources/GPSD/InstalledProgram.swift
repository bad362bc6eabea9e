import WhereaboutsSystem

/// A search for installed programs.
package enum InstalledProgram {
  /// Returns the path of a program; `nil` if the program is not in `PATH` or a system folder for daemons.
  package static func path(_ name: String) -> String? {
    let folders = (getenv("PATH").map { String(cString: $0) } ?? "").split(separator: ":").map(String.init)
    // The `PATH` of a normal user often lacks the folders of daemons.
    return (folders + ["/usr/local/sbin", "/usr/sbin", "/sbin"]).map { "\($0)/\(name)" }.first(where: isFile)
  }

  /// Returns whether a path is that of an executable file: only that of a folder may end in a slash. On iOS, `stat` needs a reason,
  /// and the App Store has none for files of the system.
  private static func isFile(_ path: String) -> Bool {
    access(path, X_OK) == 0 && access("\(path)/", F_OK) != 0
  }
}
