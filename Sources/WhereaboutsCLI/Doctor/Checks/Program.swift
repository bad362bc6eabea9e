/// Programs that are installed.
enum Program {
  /// Where a program is; `nil` where it is not installed, or not where programs are looked for.
  static func path(_ name: String) -> String? {
    let folders = (System.environment("PATH") ?? "").split(separator: ":").map(String.init)
    // Daemons are often not in the path of those who don't start them.
    return (folders + ["/usr/local/sbin", "/usr/sbin", "/sbin"]).map { "\($0)/\(name)" }
      .first { System.status(atPath: $0)?.isRegular == true }
  }
}
