/// A search for installed programs.
enum InstalledProgram {
  /// Returns the path of a program; `nil` if the program is not in `PATH` or a system folder for daemons.
  static func path(_ name: String) -> String? {
    let folders = (System.environment("PATH") ?? "").split(separator: ":").map(String.init)
    // The `PATH` of a normal user often lacks the folders of daemons.
    return (folders + ["/usr/local/sbin", "/usr/sbin", "/sbin"]).map { "\($0)/\(name)" }
      .first { System.status(atPath: $0)?.isRegular == true }
  }
}
