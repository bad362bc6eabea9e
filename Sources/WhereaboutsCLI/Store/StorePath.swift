/// Where a store is.
struct StorePath: Hashable, Sendable {
  private static let name = "whereabouts.sqlite"

  /// The file.
  let file: String

  /// The store at a path as typed. A folder is taken for the file in it: that is what a store once was.
  init(_ path: String) {
    let isFolder = path.hasSuffix("/") || System.status(atPath: path)?.isDirectory == true
    file = isFolder ? "\(path.hasSuffix("/") ? path : "\(path)/")\(Self.name)" : path
  }

  /// The store in the platform's place for such things; `nil` where nobody is at home.
  static var standard: StorePath? {
    // The specification has relative paths ignored.
    if let data = System.environment("XDG_DATA_HOME"), data.hasPrefix("/") {
      return StorePath("\(data)/whereabouts/\(name)")
    }
    guard let home = System.environment("HOME"), !home.isEmpty else { return nil }
    return StorePath("\(home)/\(folder)/whereabouts/\(name)")
  }

  /// The same in words.
  static let standardForPeople = "whereabouts/\(name) in $XDG_DATA_HOME or ~/\(folder)"

  private static var folder: String {
    #if canImport(Darwin)
      "Library/Application Support"
    #else
      ".local/share"
    #endif
  }

  /// Whether it is there.
  var exists: Bool { System.status(atPath: file) != nil }

  /// The fences that were kept in a folder before there were stores like this one, where they are beside it.
  var formerFences: String? {
    let folder = file.lastIndex(of: "/").map { String(file[..<$0]) } ?? "."
    let path = "\(folder)/fences.geojson"
    return System.status(atPath: path)?.isRegular == true ? path : nil
  }
}
