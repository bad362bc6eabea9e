import WhereaboutsSystem

/// The unit of systemd that runs the server, with as few rights as it needs.
package struct ServiceUnit: Sendable {
  /// The path of this program.
  package var program: String
  /// The arguments after `serve`.
  package var arguments: [String]
  /// The folder of a store outside of systemd's state folder; `nil` for a store in it.
  package let storeFolder: String?
  /// Whether the store lies in one of the folders that `ProtectHome` hides.
  private let isStoreInHome: Bool
  /// The serial devices of the source.
  package var devices: [String]
  /// The groups of the serial devices.
  package var groups: [String]
  /// The ports of the server. One below 1024 needs a right of its own.
  package var ports: [Int]

  /// Creates a unit.
  ///
  /// - Parameter realPath: returns a path without links; `nil` if the path leads nowhere.
  package init(
    program: String, arguments: [String], storeFolder: String?, devices: [String], groups: [String] = [],
    ports: [Int] = [], realPath: (String) -> String? = Self.realPath
  ) {
    self.program = program
    self.arguments = arguments
    let folderInHome = storeFolder.flatMap { Self.pathInHome(of: $0, realPath) }
    self.storeFolder = folderInHome ?? storeFolder
    isStoreInHome = folderInHome != nil
    self.devices = devices
    self.groups = groups
    self.ports = ports
  }

  /// The unit's text.
  package var text: String {
    ([unit, service, hardening, store, receiver, install].flatMap { $0 }).joined(separator: "\n") + "\n"
  }

  private var unit: [String] {
    [
      "# Save as /etc/systemd/system/whereabouts.service, then: systemctl enable --now whereabouts",
      "[Unit]", "Description=Whereabouts: positions of phones and receivers",
      "# A clock that is behind, as at the start of a machine without one, makes fixes of phones look like future ones.",
      "Wants=network-online.target", "After=network-online.target time-sync.target", "",
    ]
  }

  private var service: [String] {
    [
      "[Service]", "Type=notify",
      "ExecStart=" + ([program, "serve"] + arguments).map(Self.commandWord).joined(separator: " "),
      "ExecReload=/bin/kill -HUP $MAINPID", "WatchdogSec=30", "TimeoutStopSec=10", "Restart=always",
      "RestartSec=2", "# A mistake in the configuration does not go away by a restart.",
      "RestartPreventExitStatus=2", "LimitNOFILE=65536", "",
    ]
  }

  private var hardening: [String] {
    let capability = ports.contains { (1..<1024).contains($0) } ? "CAP_NET_BIND_SERVICE" : ""
    return [
      "DynamicUser=yes", "UMask=0077", "NoNewPrivileges=yes", "CapabilityBoundingSet=\(capability)",
      "AmbientCapabilities=\(capability)",
      "ProtectSystem=strict", "ProtectHome=\(isStoreInHome ? "tmpfs" : "yes")", "PrivateTmp=yes",
      "ProtectProc=invisible", "ProcSubset=pid",
      "ProtectClock=yes", "ProtectHostname=yes", "ProtectKernelLogs=yes", "ProtectKernelModules=yes",
      "ProtectKernelTunables=yes", "ProtectControlGroups=yes",
      "RestrictAddressFamilies=AF_UNIX AF_INET AF_INET6",
      "RestrictNamespaces=yes", "RestrictRealtime=yes", "RestrictSUIDSGID=yes", "LockPersonality=yes",
      "MemoryDenyWriteExecute=yes", "RemoveIPC=yes", "KeyringMode=private", "SystemCallArchitectures=native",
      "SystemCallFilter=@system-service", "SystemCallFilter=~@privileged", "SystemCallErrorNumber=EPERM",
      "",
    ]
  }

  private var store: [String] {
    guard let storeFolder else {
      return [
        "StateDirectory=whereabouts", "StateDirectoryMode=0700",
        "Environment=\(ServerSetting.store.variable)=%S/whereabouts/whereabouts.sqlite", "",
      ]
    }
    return [
      "# The user of the service needs the right to write here.",
      // Nothing below a protected home can be allowed; a folder can be bound over it.
      isStoreInHome
        ? "BindPaths=" + Self.boundPath(storeFolder) : "ReadWritePaths=" + Self.quoted(storeFolder),
      "",
    ]
  }

  /// Returns the path below a home that leads to a folder; `nil` if the folder lies in no home.
  ///
  /// `ProtectHome` hides a home under each of its names. systemd follows the rules in the order of their paths: only a
  /// path that begins with the name of the home is bound after the home is hidden, and not before.
  private static func pathInHome(of folder: String, _ realPath: (String) -> String?) -> String? {
    let homes: [String] = ["/home", "/root", "/run/user"]
    func isInside(_ path: String, _ home: String) -> Bool { "\(path)/".hasPrefix("\(home)/") }
    if homes.contains(where: { isInside(folder, $0) }) { return folder }
    guard let folder = realPath(folder) else { return nil }
    for home in homes {
      guard let realHome = realPath(home), isInside(folder, realHome) else { continue }
      return home + folder.dropFirst(realHome.count)
    }
    return nil
  }

  /// Returns a path without links; `nil` if the path leads nowhere.
  package static func realPath(_ path: String) -> String? {
    guard let text = realpath(path, nil) else { return nil }
    defer { free(text) }
    return String(cString: text)
  }

  private var receiver: [String] {
    guard !devices.isEmpty else { return ["PrivateDevices=yes", ""] }
    // Systemd looks up a path once, at the start of the service: a receiver that is plugged in later would stay
    // forbidden. The kernel's numbers of the devices of USB hold before their drivers are loaded, too.
    let mayBePluggedIn = devices.contains { !$0.hasPrefix("/dev/ttyS") && !$0.hasPrefix("/dev/ttyAMA") }
    let kinds = ["# ttyACM and ttyUSB:", "DeviceAllow=char-166 rw", "DeviceAllow=char-188 rw"]
    return ["DevicePolicy=closed"] + devices.map { "DeviceAllow=" + Self.quoted($0) + " rw" }
      + (mayBePluggedIn ? kinds : [])
      + (groups.isEmpty ? [] : ["SupplementaryGroups=" + groups.map(Self.quoted).joined(separator: " ")]) + [
        ""
      ]
  }

  private var install: [String] { ["[Install]", "WantedBy=multi-user.target"] }

  /// Returns a word of a command, without variables.
  private static func commandWord(_ word: String) -> String { quoted(word.replacing("$", with: "$$")) }

  /// Returns a path of `BindPaths`. Outside of quotes, another path follows a colon.
  private static func boundPath(_ path: String) -> String {
    path.contains(":") ? inQuotes(path) : quoted(path)
  }

  /// Returns a word of a unit: quoted if needed, without specifiers.
  private static func quoted(_ word: String) -> String {
    let plain = word.allSatisfy {
      $0.isASCII && ($0.isLetter || $0.isNumber || "-_./:=@%$+,".contains($0))
    }
    return plain && !word.isEmpty ? word.replacing("%", with: "%%") : inQuotes(word)
  }

  private static func inQuotes(_ word: String) -> String {
    let escaped = word.replacing("%", with: "%%").replacing("\\", with: "\\\\")
    return "\"" + escaped.replacing("\"", with: "\\\"") + "\""
  }
}
