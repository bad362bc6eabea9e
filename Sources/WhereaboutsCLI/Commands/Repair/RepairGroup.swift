import ArgumentParser
import Whereabouts
import WhereaboutsModel
import WhereaboutsOperations
import WhereaboutsReports
import WhereaboutsStore

/// `whereabouts repair`: commands that find and repair faults of an imported past.
struct RepairGroup: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "repair",
    abstract: "Find and repair faults in an imported history.",
    discussion: """
      Finds two devices under one name, unreachable places, several places at one instant, overlapping imports, \
      shifted times, and accuracies that contradict the scatter. Each finding has an identifier, its evidence and \
      its choices. Only `apply` changes fixes, and `undo` restores them.

      A repair erases no fix. A fix that is left out is marked as implausible: days and distances ignore the fix, \
      and `export --all` includes the fix. Only imported fixes are checked and changed.

      Examples:
        whereabouts repair --device anna
        whereabouts repair apply teleports-1k3f9 --choice leave-out --device anna
        whereabouts repair apply mixed-8sd2k --choice move --to tablet --device anna
        whereabouts repair undo 2 --device anna
      """,
    subcommands: [RepairList.self, RepairApply.self, RepairUndo.self],
    defaultSubcommand: RepairList.self)
}

/// `whereabouts repair list`: lists findings and repairs.
struct RepairList: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list",
    abstract: "List findings in the imported history of a device, and the applied repairs.",
    discussion: """
      Examples:
        whereabouts repair list
        whereabouts repair list --json

      Exit codes: 0 success, 1 failure or no store, 2 usage error, 4 permission denied.
      """)

  @OptionGroup var store: StoreOptions

  @Flag(help: "Print JSON, one object per line: findings, then repairs.")
  var json = false

  func run() throws {
    let open = try OpenStore.readingPast(store.selection)
    defer { open.close() }
    let findings = try open.findings()
    let repairs = try open.attempt { try $0.repairs(of: open.device) }
    let output = try OutputFile(path: nil, replacing: false)
    for finding in findings {
      if json {
        output.bytes += RepairText.json(finding).bytes + [UInt8(ascii: "\n")]
      } else {
        for line in RepairText.lines(finding) { output.bytes.appendText("\(line)\n") }
      }
    }
    for repair in repairs {
      if json {
        output.bytes += RepairText.json(repair).bytes + [UInt8(ascii: "\n")]
      } else {
        output.bytes.appendText("\(RepairText.line(repair))\n")
      }
    }
    do { try output.flush() } catch is OutputFile.ReaderGoneError {}
    if findings.isEmpty {
      StandardError.print(
        "no faults found in the imported history of \(open.deviceName)".sanitizedToOneLine)
    }
  }
}

/// `whereabouts repair apply`: repairs a finding.
struct RepairApply: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "apply",
    abstract: "Repair one finding.",
    discussion: """
      Choices: `leave-out` marks the fixes as implausible. `move` moves the fixes to the device of --to, \
      and leaves out those that it has already. `leave-out-first` and `leave-out-second` leave out one of two overlapping imports. `shift-first` and \
      `shift-second` change all times of one of two imports. `remove-accuracy` removes the stated accuracies.

      Examples:
        whereabouts repair apply teleports-1k3f9 --choice leave-out
        whereabouts repair apply mixed-8sd2k --choice move --to tablet

      Exit codes: 0 success, 1 failure or unknown finding, 2 usage error, 4 permission denied.
      """)

  @OptionGroup var store: StoreOptions

  @Argument(help: "Identifier of the finding, as `whereabouts repair` lists it.")
  var finding: String

  @Option(help: ArgumentHelp("Choice, as `whereabouts repair` lists it.", valueName: "choice"))
  var choice: ChoiceArgument

  @Option(
    help: ArgumentHelp("Device to which --choice move moves the fixes. (default: none)", valueName: "id"))
  var to: String?

  func validate() throws {
    if choice.choice == .move, to?.isEmpty ?? true { throw ValidationError("--choice move requires --to ID") }
    if choice.choice != .move, to != nil { throw ValidationError("--to requires --choice move") }
  }

  func run() throws {
    let open = try OpenStore.writingPast(store.selection)
    defer { open.close() }
    if to == open.device.rawValue {
      throw CommandError("--to and --device name the same device", code: .usage)
    }
    guard let found = try open.findings().first(where: { $0.id == finding }) else {
      throw CommandError(
        "no finding has the identifier \(finding). Run `whereabouts repair` to list the findings.")
    }
    guard found.choices.contains(choice.choice) else {
      let choices = found.choices.map(\.rawValue).joined(separator: ", ")
      throw CommandError(
        "\(finding) does not have the choice \(choice.choice.rawValue). Its choices: \(choices).",
        code: .usage)
    }
    var selector = RepairSelector(found, choice.choice)
    try open.pastFixes { selector.process($0) }
    let repair = try open.attempt {
      try $0.repair(
        open.device, kind: found.kind.rawValue, choice: choice.choice.rawValue,
        fixes: selector.keys.map { ($0.time, $0.seq) }, change: change(shift: selector.shift), at: .now)
    }
    guard let repair else { throw CommandError("no fix to change") }
    print(
      "\(Quantities.count(repair.count, "fix", "fixes")) changed; `whereabouts repair undo \(repair.number)` restores them"
    )
  }

  private func change(shift: Int64) -> RepairChange {
    switch choice.choice {
    case .leaveOut, .leaveOutFirst, .leaveOutSecond: .leaveOut
    case .move: .move(to: DeviceID(rawValue: to ?? ""))
    case .shiftFirst, .shiftSecond: .shift(shift)
    case .removeAccuracy: .removeAccuracy
    }
  }
}

/// `whereabouts repair undo`: undoes a repair.
struct RepairUndo: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "undo",
    abstract: "Restore the fixes that a repair changed.",
    discussion: """
      Erased fixes stay erased. If two repairs changed the same fixes, undo the later repair first.

      Examples:
        whereabouts repair undo 2

      Exit codes: 0 success, 1 failure or unknown repair, 2 usage error, 4 permission denied.
      """)

  @OptionGroup var store: StoreOptions

  @Argument(help: "Number of the repair, as `whereabouts repair` lists it.", transform: Int.parseArgument)
  var number: Int

  func run() throws {
    let open = try OpenStore.writingPast(store.selection)
    defer { open.close() }
    switch try open.attempt({ try $0.undoRepair(number, of: open.device) }) {
    case .success(let count): print("\(Quantities.count(count, "fix", "fixes")) restored")
    case .failure(.unknown):
      throw CommandError(
        "\(open.deviceName) has no repair \(number). Run `whereabouts repair` to list the repairs.")
    case .failure(.superseded(let later, let device)):
      let owner = device == open.device ? "" : " of \(device.rawValue)"
      throw CommandError(
        """
        could not undo repair \(number): repair \(later)\(owner) changed the same fixes later. \
        Undo repair \(later)\(owner) first.
        """)
    }
  }
}

extension OpenStore {
  /// The device in a sentence.
  fileprivate var deviceName: String { device == .this ? "this device" : device.rawValue }
}

/// A choice as typed.
struct ChoiceArgument: ExpressibleByArgument {
  let choice: PastFinding.Choice

  init?(argument: String) {
    guard let choice = PastFinding.Choice(rawValue: argument) else { return nil }
    self.choice = choice
  }

  static var allValueStrings: [String] { PastFinding.Choice.allCases.map(\.rawValue) }
}
