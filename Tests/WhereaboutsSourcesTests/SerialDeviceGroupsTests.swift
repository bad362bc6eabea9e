import Testing

@testable import WhereaboutsSources

@Suite struct SerialDeviceGroupsTests {
  @Test(
    arguments: [
      // A device that is there, and one that is not plugged in.
      (["/dev/ttyACM0"], ["dialout", "uucp"], ["plugdev"]),
      (["/dev/ttyUSB0"], ["dialout", "uucp"], ["dialout"]),
      (["/dev/ttyUSB0", "/dev/ttyUSB1"], ["uucp"], ["uucp"]),
      (["/dev/ttyACM0", "/dev/ttyUSB0"], ["dialout"], ["plugdev", "dialout"]),
      // Those of root, and of a group without a name.
      (["/dev/ttyS0", "/dev/ttyS1"], ["dialout"], ["dialout"]),
      (["/dev/ttyUSB0"], [], []),
      ([], ["dialout"], []),
    ] as [([String], Set<String>, [String])])
  func groupsAreThoseOfThisMachine(devices: [String], groups: Set<String>, names: [String]) {
    let known: [String: FileAccess.Principal] = [
      "/dev/ttyACM0": .init(id: 46, name: "plugdev"), "/dev/ttyS0": .init(id: 0, name: "root"),
      "/dev/ttyS1": .init(id: 4711, name: nil),
    ]
    #expect(SerialDeviceGroups.names(of: devices, groupOf: { known[$0] }, exists: groups.contains) == names)
  }

  @Test func groupIsKnownByItsName() {
    #expect(FileAccess.groupName(0).map { FileAccess.hasGroup(named: $0) } == true)
    #expect(!FileAccess.hasGroup(named: "no-such-group"))
  }
}
