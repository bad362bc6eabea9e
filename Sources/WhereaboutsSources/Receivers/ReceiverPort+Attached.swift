#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

extension ReceiverPort {
  /// The serial ports of this computer that a receiver may be at, likeliest first.
  ///
  /// Those come first whose name says that they are receivers. USB devices that are known to be something else, such as
  /// modems and radios for the home, are left out, since opening their ports can disturb them; so are the ports that
  /// nearly every computer has and nothing is connected to (`/dev/ttyS0`). A device with several names is given once.
  ///
  /// Nothing is opened, and no permission is needed.
  public static func attached() -> [ReceiverPort] {
    attached(in: "/dev")
  }

  static func attached(in folder: String) -> [ReceiverPort] {
    var taken: Set<String> = []
    var ports: [ReceiverPort] = []
    func add(_ path: String) {
      if let device = resolved(path), taken.insert(device).inserted { ports.append(.serial(path: path)) }
    }
    let named = names(in: "\(folder)/serial/by-id")
    for name in named where Self.soundsLikeReceiver(name) { add("\(folder)/serial/by-id/\(name)") }
    // So that they are not found again under their other name.
    for name in named where Self.isSomethingElse(name) {
      if let device = resolved("\(folder)/serial/by-id/\(name)") { taken.insert(device) }
    }
    for name in named { add("\(folder)/serial/by-id/\(name)") }
    let others = names(in: folder)
    for prefix in prefixes {
      for name in others where name.hasPrefix(prefix) { add("\(folder)/\(name)") }
    }
    return ports
  }

  #if canImport(Darwin)
    private static let prefixes = ["cu.usbmodem", "cu.usbserial", "cu.SLAB_USBtoUART", "cu.wchusbserial"]
  #else
    /// `gps` is what udev's rules of gpsd call receivers; `serial0` is the port on the header of a Raspberry Pi.
    private static let prefixes = ["gps", "ttyACM", "ttyUSB", "serial0"]
  #endif

  /// Makers and words in the names of receivers; those of serial adapters say nothing.
  private static let receivers = [
    "gps", "gnss", "u-blox", "ublox", "glonass", "sirf", "garmin", "globalsat", "navisys", "septentrio",
    "trimble",
    "mediatek_gs", "skytraq", "quectel_l", "holux",
  ]
  /// Of things that are no receivers and have serial ports.
  private static let others = [
    "modem", "lte", "huawei", "sierra", "arduino", "zigbee", "conbee", "z-wave", "zwave", "sonoff", "printer",
    "3d",
    "marlin", "jlink", "j-link", "stlink", "st-link", "cmsis-dap", "espressif",
  ]

  private static func soundsLikeReceiver(_ name: String) -> Bool {
    let name = name.lowercased()
    return receivers.contains { name.contains($0) }
  }

  private static func isSomethingElse(_ name: String) -> Bool {
    let name = name.lowercased()
    return !soundsLikeReceiver(name) && others.contains { name.contains($0) }
  }

  /// The names in a folder, in order; none where there is no such folder.
  private static func names(in folder: String) -> [String] {
    guard let directory = opendir(folder) else { return [] }
    defer { closedir(directory) }
    var names: [String] = []
    while let entry = readdir(directory) {
      let name = entry.entryName
      if !name.hasPrefix(".") { names.append(name) }
    }
    return names.sorted()
  }

  /// Where a path leads in the end; `nil` where it leads nowhere.
  private static func resolved(_ path: String) -> String? {
    guard let text = realpath(path, nil) else { return nil }
    defer { free(text) }
    return String(cString: text)
  }
}
