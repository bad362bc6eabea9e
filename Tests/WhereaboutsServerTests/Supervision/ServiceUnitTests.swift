import Testing

@testable import WhereaboutsServer

@Suite struct ServiceUnitTests {
  @Test func wordsAreQuoted() {
    let unit = ServiceUnit(
      program: "/opt/a b/whereabouts", arguments: ["--source", "replay:50%.nmea", "$HOME", "\"x\""],
      storeFolder: nil, devices: [])
    #expect(
      unit.text.contains(
        #"ExecStart="/opt/a b/whereabouts" serve --source replay:50%%.nmea $$HOME "\"x\"""# + "\n"),
      "\(unit.text)")
  }

  /// A machine without a clock of its own begins in the past.
  @Test func serviceStartsAfterTheTimeIsSet() {
    let text = ServiceUnit(program: "/w", arguments: [], storeFolder: nil, devices: []).text
    #expect(text.contains("\nAfter=network-online.target time-sync.target\n"), "\(text)")
    // systemd.special(7): services that need the time do not pull the target in.
    #expect(text.contains("\nWants=network-online.target\n"), "\(text)")
  }

  /// The ports of HTTP and HTTPS are below 1024, and no user but root may listen there without this capability.
  @Test(arguments: [
    ([443, 5055], "CAP_NET_BIND_SERVICE"), ([8443, 80], "CAP_NET_BIND_SERVICE"), ([8443, 1024], ""),
    ([0], ""),
  ]) func privilegedPortNeedsACapability(ports: [Int], capability: String) {
    let text = ServiceUnit(program: "/w", arguments: [], storeFolder: nil, devices: [], ports: ports).text
    #expect(
      text.contains("\nCapabilityBoundingSet=\(capability)\nAmbientCapabilities=\(capability)\n"), "\(text)")
  }

  /// A store that can't be opened (exit code 4) may be on a disk that is mounted later.
  @Test func onlyAMistakeInTheConfigurationPreventsARestart() {
    let text = ServiceUnit(program: "/w", arguments: [], storeFolder: nil, devices: []).text
    #expect(text.contains("\nRestart=always\n") && text.contains("\nRestartPreventExitStatus=2\n"), "\(text)")
  }

  @Test func storeAndDeviceOutsideAreReachable() {
    let inside = ServiceUnit(program: "/w", arguments: [], storeFolder: nil, devices: []).text
    #expect(inside.contains("StateDirectory=whereabouts\n") && inside.contains("PrivateDevices=yes\n"))
    let outside = ServiceUnit(
      program: "/w", arguments: [], storeFolder: "/data/my store", devices: ["/dev/ttyACM0", "/dev/ttyUSB0"]
    ).text
    #expect(
      outside.contains("ReadWritePaths=\"/data/my store\"\n")
        && outside.contains("DeviceAllow=/dev/ttyACM0 rw\nDeviceAllow=/dev/ttyUSB0 rw\n"))
    #expect(!outside.contains("PrivateDevices") && !outside.contains("StateDirectory"))
  }

  /// Below a home that is hidden with `ProtectHome=yes`, `ReadWritePaths` has no effect.
  @Test(arguments: [
    ("/home/pi", true), ("/home/pi/gps data", true), ("/root", true), ("/run/user/1000", true),
    ("/home/pi/a:b", true), ("/homes/pi", false), ("/srv/home/pi", false), ("/rootfs", false),
  ])
  func storeInAHomeIsBound(folder: String, isBound: Bool) {
    let text = ServiceUnit(program: "/w", arguments: [], storeFolder: folder, devices: []).text
    let path = folder.contains { " :".contains($0) } ? "\"\(folder)\"" : folder
    #expect(text.contains("\nBindPaths=\(path)\n") == isBound, "\(text)")
    #expect(text.contains("\nReadWritePaths=\(path)\n") != isBound, "\(text)")
    #expect(text.contains("\nProtectHome=\(isBound ? "tmpfs" : "yes")\n"), "\(text)")
  }

  /// systemd hides /home where a link leads, and binds before that what is named by another path.
  @Test(arguments: [
    ("/data/home/pi/gps", "BindPaths=/home/pi/gps"), ("/data/home", "BindPaths=/home"),
    ("/home/pi", "BindPaths=/home/pi"), ("/srv/link", "BindPaths=/home/pi"),
    ("/data/homes", "ReadWritePaths=/data/homes"),
    ("/srv/missing", "ReadWritePaths=/srv/missing"),
  ])
  func homeMayBeALink(folder: String, rule: String) {
    let links: [String: String?] = ["/home": "/data/home", "/srv/link": "/data/home/pi", "/srv/missing": nil]
    let text = ServiceUnit(
      program: "/w", arguments: [], storeFolder: folder, devices: [],
      realPath: { path in links.keys.contains(path) ? links[path] ?? nil : path }
    ).text
    #expect(text.contains("\n\(rule)\n"), "\(text)")
    #expect(text.contains("\nProtectHome=\(rule.hasPrefix("Bind") ? "tmpfs" : "yes")\n"), "\(text)")
  }

  /// systemd starts no service that names a group which the machine does not have.
  @Test(
    arguments: [
      ([], nil), (["uucp"], "uucp"), (["plugdev", "dialout"], "plugdev dialout"),
    ] as [([String], String?)]) func groupsAreThoseOfTheDevices(groups: [String], words: String?)
  {
    let unit = ServiceUnit(
      program: "/w", arguments: [], storeFolder: nil, devices: ["/dev/ttyACM0"], groups: groups)
    let lines = unit.text.split(separator: "\n").filter { $0.hasPrefix("SupplementaryGroups=") }
    #expect(lines == [words.map { "SupplementaryGroups=\($0)" }].compactMap { $0.map { $0[...] } })
  }

  /// systemd looks up a path at the start of the service alone, so the kinds of USB devices are allowed by their numbers.
  @Test(arguments: [
    ("/dev/ttyUSB0", true), ("/dev/serial/by-id/usb-u-blox-if00", true), ("/dev/ttyS0", false),
    ("/dev/ttyAMA0", false),
  ])
  func receiverMayBePluggedInAfterTheStart(device: String, isOfUSB: Bool) {
    let text = ServiceUnit(program: "/w", arguments: [], storeFolder: nil, devices: [device]).text
    #expect(text.contains("\nDeviceAllow=\(device) rw\n"), "\(text)")
    #expect(text.contains("\nDeviceAllow=char-166 rw\nDeviceAllow=char-188 rw\n") == isOfUSB, "\(text)")
  }
}
