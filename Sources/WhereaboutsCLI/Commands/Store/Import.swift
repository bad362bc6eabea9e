import ArgumentParser
import Whereabouts
import WhereaboutsModel
import WhereaboutsFormats
import WhereaboutsReports
import WhereaboutsSources

/// `whereabouts import`: adds recordings of the past to the store.
struct Import: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Add recordings of the past to the store.",
    discussion: """
      Reads Google Timeline (Takeout's Records.json and Semantic Location History, the exports of Android and iOS), GPX, \
      FIT, TCX, IGC, KML, KMZ, GeoJSON, the files of an OwnTracks Recorder, CSV, JSON lines and NMEA, also in zip and \
      gzip. The format is found from the content. Of folders, every recording in them is read.

      Only the history changes: no fence is crossed, and nothing is sent. The same file again adds nothing, and a file \
      that overlaps another adds what is new: a point is known by its device, its time and its place. After a kill the \
      same command goes on.

      A file may hold several devices: each phone of a Timeline becomes timeline-NUMBER, or ID-NUMBER with --device ID. \
      --rename gives it a name. Everything else belongs to --device, or to this device.

      At the end, standard error states what is wrong with the past of a device; see `whereabouts repair`. Nothing is changed.

      Unreadable rows are passed over, counted, and reported with their places on standard error.

      Examples:
        whereabouts import --dry-run takeout.zip
        whereabouts import --device anna Records.json
        whereabouts import --rename 1184882542=anna --rename -7712=tablet Records.json
        whereabouts import --device bike garmin
        whereabouts import --json Timeline.json | tail -1

      Exit codes: 0 read, 1 failed, or a file could not be read, 2 usage, 4 not permitted.
      """)

  @OptionGroup var store: StoreOptions

  @Option(
    name: .customLong("rename"),
    help: ArgumentHelp(
      "Store the device that a file calls by a name or number as the device of this name.",
      valueName: "name=id"))
  var renames: [RenameArgument] = []

  @Option(
    name: .customLong("from"),
    help: ArgumentHelp("The format of the files; found from their content if left out.", valueName: "format"))
  var format: InputFormat?

  @Flag(help: "Read and count, and change nothing.")
  var dryRun = false

  @Flag(help: "Print the result as JSON: a line for each file, and one for all.")
  var json = false

  @Argument(help: "The files and folders to read, - for standard input.", completion: .file())
  var files: [String]

  func validate() throws {
    guard !files.isEmpty else { throw ValidationError("Missing expected argument '<files> ...'") }
  }

  func run() throws {
    let files = try ImportFile.all(of: self.files)
    guard !files.isEmpty else { throw CommandError("there is no file to import") }
    let open = dryRun ? try OpenStore.readingIfThere(store) : try OpenStore.writing(store)
    defer { open?.close() }
    let output = try OutputFile(path: nil, replacing: false)
    do {
      let session = ImportSession(
        store: open, devices: devices, format: format?.format, isDryRun: dryRun,
        output: json ? output : nil)
      try session.run(files)
      if json {
        output.bytes += session.total.json(file: nil, isDryRun: dryRun).bytes + [UInt8(ascii: "\n")]
      } else {
        for line in session.total.deviceLines { output.bytes.appendText("\(line)\n") }
      }
      try output.flush()
      try session.end()
      if let open, !dryRun { RepairText.reportFindings(of: session.total.newDevices, in: open) }
    } catch is OutputFile.ReaderGoneError {}
  }

  private var devices: ImportDevices {
    var devices = ImportDevices(base: store.device?.rawValue)
    for rename in renames { devices.renames[rename.name] = rename.device }
    return devices
  }
}

/// A device's name in a file and in the store as typed: `1184882542=anna`.
struct RenameArgument: ExpressibleByArgument {
  var name: String
  var device: String

  init?(argument: String) {
    // A number may be negative, a name may hold anything but the mark.
    guard let mark = argument.lastIndex(of: "=") else { return nil }
    name = String(argument[..<mark])
    device = String(argument[argument.index(after: mark)...])
    guard !name.isEmpty, !device.isEmpty else { return nil }
  }
}
