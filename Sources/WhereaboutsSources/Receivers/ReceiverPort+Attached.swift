import WhereaboutsSystem

extension ReceiverPort {
  /// Returns the serial ports of this computer that may have a receiver, likeliest first.
  ///
  /// Ports whose names identify receivers come first. USB devices known to be something else, such as modems and home
  /// radios, are left out, since opening their ports can disturb them. Built-in ports that usually have nothing
  /// connected (`/dev/ttyS0`) are left out too. A device with several names is returned once.
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
    for name in named where Self.isReceiverName(name) { add("\(folder)/serial/by-id/\(name)") }
    // Prevents finding the devices again under another name.
    for name in named where Self.isOtherDeviceName(name) {
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
    /// Prefixes of device names: udev's rules of gpsd use `gps`; `serial0` is the port on the header of a Raspberry
    /// Pi.
    private static let prefixes = ["gps", "ttyACM", "ttyUSB", "serial0"]
  #endif

  /// Makers and words in the names of receivers; names of serial adapters identify nothing.
  private static let receiverNames = [
    "gps", "gnss", "u-blox", "ublox", "glonass", "sirf", "garmin", "globalsat", "navisys", "septentrio",
    "trimble",
    "mediatek_gs", "skytraq", "quectel_l", "holux",
  ]
  /// Names of devices that have serial ports and are no receivers. None may be a part of a serial number, such as the 32
  /// hexadecimal digits of a CP2102N: "3d" is in one of nine.
  private static let otherDeviceNames = [
    "modem", "lte", "huawei", "sierra", "arduino", "zigbee", "conbee", "z-wave", "zwave", "sonoff", "printer",
    "3d_", "3d.", "prusa", "creality",
    "marlin", "jlink", "j-link", "stlink", "st-link", "cmsis-dap", "espressif",
  ]

  private static func isReceiverName(_ name: String) -> Bool {
    let name = name.lowercased()
    return receiverNames.contains { name.contains($0) }
  }

  private static func isOtherDeviceName(_ name: String) -> Bool {
    let name = name.lowercased()
    return !isReceiverName(name) && otherDeviceNames.contains { name.contains($0) }
  }

  /// Returns the names in a folder, in order; none without the folder.
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

  /// Returns the resolved path; `nil` if the path leads nowhere.
  private static func resolved(_ path: String) -> String? {
    guard let text = realpath(path, nil) else { return nil }
    defer { free(text) }
    return String(cString: text)
  }
}
