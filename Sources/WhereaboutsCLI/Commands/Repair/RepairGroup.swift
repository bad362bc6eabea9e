import ArgumentParser
import Whereabouts
import WhereaboutsModel
import WhereaboutsReports
import WhereaboutsStore

/// `whereabouts repair`: commands that find and repair faults of an imported past.
struct RepairGroup: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "repair",
    abstract: "Find what is wrong with an imported past, and repair it.",
    discussion: """
      Finds two devices under one name, places out of reach, several places at one instant, stretches from two imports, \
      shifted times, and accuracies that the scatter contradicts. Each finding has an identifier, its evidence and its \
      choices. Nothing changes without `apply`, and `undo` restores each fix as it was.

      No fix is erased. A fix that is left out is marked as implausible: days and distances go without it, and \
      `export --all` has it. Only imported fixes are checked and changed.

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
    abstract: "List what is wrong with the imported past of a device, and the repairs.",
    discussion: """
      Examples:
        whereabouts repair list
        whereabouts repair list --json

      Exit codes: 0 listed, 1 failed or there is no store, 2 usage, 4 not permitted.
      """)

  @OptionGroup var store: StoreOptions

  @Flag(help: "Print JSON, one object a line: findings, then repairs.")
  var json = false

  func run() throws {
    let open = try OpenStore.reading(store)
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
        "nothing is wrong with the imported past of \(open.device.rawValue)".sanitizedToOneLine)
    }
  }
}

/// `whereabouts repair apply`: repairs a finding.
struct RepairApply: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "apply",
    abstract: "Repair one finding.",
    discussion: """
      The choices: `leave-out` marks the fixes as implausible, `move` gives them to the device of --to, `leave-out-first` and \
      `leave-out-second` leave out one of two imports where both have fixes, `shift-first` and `shift-second` change all \
      times of one of two imports, `remove-accuracy` removes the stated accuracies.

      Examples:
        whereabouts repair apply teleports-1k3f9 --choice leave-out
        whereabouts repair apply mixed-8sd2k --choice move --to tablet

      Exit codes: 0 repaired, 1 failed or there is no such finding, 2 usage, 4 not permitted.
      """)

  @OptionGroup var store: StoreOptions

  @Argument(help: "The identifier of the finding, as `whereabouts repair` lists it.")
  var finding: String

  @Option(help: ArgumentHelp("The choice, as `whereabouts repair` lists it.", valueName: "choice"))
  var choice: ChoiceArgument

  @Option(help: ArgumentHelp("The device that gets the fixes, with --choice move.", valueName: "id"))
  var to: String?

  func validate() throws {
    if choice.choice == .move, to?.isEmpty ?? true { throw ValidationError("--choice move needs --to ID") }
    if choice.choice != .move, to != nil { throw ValidationError("--to is for --choice move") }
  }

  func run() throws {
    // Reading first: a store that does not exist has no findings.
    try OpenStore.reading(store).close()
    let open = try OpenStore.writing(store)
    defer { open.close() }
    if to == open.device.rawValue { throw CommandError("--to names the same device", code: .usage) }
    guard let found = try open.findings().first(where: { $0.id == finding }) else {
      throw CommandError("there is no finding \(finding); `whereabouts repair` lists the present ones")
    }
    guard found.choices.contains(choice.choice) else {
      let choices = found.choices.map(\.rawValue).joined(separator: ", ")
      throw CommandError("\(finding) has no such choice: \(choices)", code: .usage)
    }
    var selector = RepairSelector(found, choice.choice)
    try open.pastFixes { selector.process($0) }
    let repair = try open.attempt {
      try $0.repair(
        open.device, kind: found.kind.rawValue, choice: choice.choice.rawValue,
        fixes: selector.keys.map { ($0.time, $0.seq) }, change: change(shift: selector.shift), at: .now)
    }
    guard let repair else { throw CommandError("there is no fix to change") }
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
    abstract: "Restore the fixes that a repair has changed.",
    discussion: """
      Fixes that were erased since the repair stay erased. Of two repairs of the same fixes, the later one is undone first.

      Examples:
        whereabouts repair undo 2

      Exit codes: 0 restored, 1 failed or there is no such repair, 2 usage, 4 not permitted.
      """)

  @OptionGroup var store: StoreOptions

  @Argument(help: "The number of the repair, as `whereabouts repair` lists it.")
  var number: Int

  func run() throws {
    try OpenStore.reading(store).close()
    let open = try OpenStore.writing(store)
    defer { open.close() }
    switch try open.attempt({ try $0.undoRepair(number, of: open.device) }) {
    case .success(let count): print("\(Quantities.count(count, "fix", "fixes")) restored")
    case .failure(.unknown):
      throw CommandError("there is no repair \(number) of this device; `whereabouts repair` lists them")
    case .failure(.superseded(let later)):
      throw CommandError("repair \(later) changed the same fixes later; undo it first")
    }
  }
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
