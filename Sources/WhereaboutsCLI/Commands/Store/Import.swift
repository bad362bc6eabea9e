import ArgumentParser
import Whereabouts
import WhereaboutsModel
import WhereaboutsFormats
import WhereaboutsOperations
import WhereaboutsReports
import WhereaboutsSources

/// `whereabouts import`: adds recordings of the past to the store.
struct Import: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "import", abstract: "Import recordings into the history of the store.",
    discussion: """
      Reads Google Timeline, GPX, FIT, TCX, IGC, KML, KMZ, GeoJSON, OwnTracks Recorder files, batches of Overland, \
      archives of Dawarich and Polarsteps, CSV, JSON lines, logs of gpsd and NMEA, also in zip and gzip. Timeline files \
      are Records.json and Semantic Location History of Takeout, and the exports of Android and iOS. The content of a \
      file determines its format. A folder stands for every recording in the folder.

      An import changes only the history: it creates no fence events. An endpoint of the queue uploads imported \
      points, except those older than the last fix it has read. A repeated import adds nothing, an overlapping file \
      only new points: device, time and location identify a point. The same command resumes after a kill or a full disk.

      Visits that a file states are stored beside the fixes. `whereabouts days` shows them where the device has no \
      fixes, and `whereabouts places` proposes their names.

      A file may contain several devices. Each phone of a Timeline becomes timeline-NUMBER, or ID-NUMBER with \
      --device ID. --rename changes the name. All other points belong to --device, or to this device.

      At the end, standard error lists the faults in the history of each device. The import does not repair \
      faults; `whereabouts repair` does. To undo an import, erase its device or time range by `whereabouts forget`.

      Unreadable rows are skipped and counted. Standard error reports their positions. An import fails if every \
      row of a file was refused.

      Examples:
        whereabouts import --dry-run takeout.zip
        whereabouts import --device anna Records.json
        whereabouts import --rename 1184882542=anna --rename -7712=tablet Records.json
        whereabouts import --device bike garmin
        whereabouts import --checksums optional drive.nmea
        whereabouts import --json Timeline.json | tail -1

      Exit codes: 0 success, 1 failure or an unreadable file, 2 usage error, 4 permission denied.
      """)

  @OptionGroup var store: StoreOptions

  @Option(
    name: .customLong("rename"),
    help: ArgumentHelp(
      "Store a device of the files, given by its name, number or present id, under this id; repeatable.",
      valueName: "name=id"), transform: RenameArgument.parse)
  var renames: [RenameArgument] = []

  @OptionGroup var reading: ReadingOptions

  @Flag(help: "Read and count, and store nothing. A new point counts once for each file that holds it.")
  var dryRun = false

  @Flag(help: "Print JSON: an object for each file, then an object for the total.")
  var json = false

  @Argument(help: "Files and folders to read; - for standard input.", completion: .file())
  var files: [String]

  func validate() throws {
    guard !files.isEmpty else { throw ValidationError("Missing expected argument '<files> ...'") }
    try requireOneStandardInput(files)
  }

  func run() throws {
    let files = try ImportFile.all(of: self.files)
    guard !files.isEmpty else { throw CommandError("no file to import") }
    let open = try OpenStore.importing(
      store.selection, renames: renames.map(\.device), isDryRun: dryRun)
    let output = try OutputFile(path: nil, replacing: false)
    let session = ImportSession(
      store: open, at: store.selection, devices: devices, reading: reading.settings, isDryRun: dryRun,
      output: json ? output : nil)
    defer { session.store?.close() }
    let reading = Result { try session.run(files) }
    if json {
      output.bytes += session.total.json(file: nil, isDryRun: dryRun).bytes + [UInt8(ascii: "\n")]
    } else {
      for line in session.total.deviceLines { output.bytes.appendText("\(line)\n") }
    }
    let flush = Result { try output.flush() }
    // On a full disk both may fail.
    if case .failure = reading { session.reportStop() }
    try reading.get()
    do { try flush.get() } catch is OutputFile.ReaderGoneError {}
    // A file that could not be read hides no fault of the others.
    let outcome = Result { try session.end() }
    if let open = session.store, !dryRun { RepairText.reportFindings(of: session.total.newDevices, in: open) }
    try outcome.get()
  }

  private var devices: ImportDevices {
    var devices = ImportDevices(base: store.device)
    for rename in renames { devices.renames[rename.name] = rename.device }
    return devices
  }
}

/// A device's name in a file and in the store as typed: `1184882542=anna`.
struct RenameArgument: ExplainedArgument {
  static let form = "Write a name of the files and a device of the store, as in 1184882542=anna"

  var name: DeviceID
  var device: DeviceID

  init?(argument: String) {
    // A number may be negative, a name may hold anything but the mark.
    guard let mark = argument.lastIndex(of: "=") else { return nil }
    name = DeviceID(String(argument[..<mark]))
    device = DeviceID(String(argument[argument.index(after: mark)...]))
    guard name != "", device != "" else { return nil }
  }
}
