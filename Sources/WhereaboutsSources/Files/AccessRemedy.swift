import WhereaboutsSystem

/// The reason why this process may not read a path, and the remedy, in words.
struct AccessRemedy {
  /// One or two sentences that name the path, its permitted readers, and the remedy.
  let text: String

  /// Creates the remedy for a path that may not be read; `nil` if nothing is known about the path.
  init?(path: String) {
    guard let access = FileAccess(blocking: path) else { return nil }
    self.init(access)
  }

  init(_ access: FileAccess) {
    let reader = access.reader
    let isMine = reader.id == access.owner.id
    let isInGroup = reader.groups.contains(access.group.id)
    let allowsGroup = access.allows(.group)
    if isMine, !access.allows(.owner) {
      text = "\(access.description) Run `chmod u+\(access.requiredPermission) \(access.path.shellQuoted)`."
    } else if !isMine, isInGroup ? allowsGroup : access.allows(.others) {
      text = """
        \(access.description) That would allow it: something else does not, such as an access list, a security policy \
        or a sandbox.
        """
    } else if !isMine, !isInGroup, allowsGroup, let group = access.group.name, access.group.id != 0 {
      if reader.listedGroups.contains(access.group.id) {
        text = """
          \(access.path) belongs to the group \(group), which you are in, but were not when you logged in. Log in again, \
          or run `newgrp \(group)` in this terminal.
          """
      } else {
        text = """
          \(access.path) belongs to the group \(group). Run `sudo usermod -aG \(group) \(reader.name ?? "YOUR-NAME")`, \
          then log in again.
          """
      }
    } else {
      text = "\(access.description) Ask \(access.owner.text) for leave to read it."
    }
  }
}

extension FileAccess {
  enum PermissionClass: UInt32 {
    case owner = 6
    case group = 3
    case others = 0
  }

  /// Returns whether the mode lets a class of users read a file, or search a folder.
  func allows(_ party: PermissionClass) -> Bool {
    let needed: UInt32 = isFolder ? 0o1 : 0o4
    return mode >> party.rawValue & needed != 0
  }

  /// The missing permission, as a letter of `chmod`.
  fileprivate var requiredPermission: String { isFolder ? "x" : "r" }

  /// A description such as `/some/file belongs to alice and the group staff, with mode 0640.`
  fileprivate var description: String {
    let digits = String(mode, radix: 8)
    let padded = String(repeating: "0", count: max(0, 4 - digits.count)) + digits
    return
      "\(isFolder ? "The folder " : "")\(path) belongs to \(owner.text) and the group \(group.text), with mode \(padded)."
  }
}

extension FileAccess.Principal {
  fileprivate var text: String { name ?? "number \(id)" }
}
