package import WhereaboutsModel
package import WhereaboutsFormats
package import WhereaboutsReports
package import WhereaboutsStore

/// The result of an import, of one file or of all.
package struct ImportReport {
  /// The result for one device.
  package struct Device {
    package var result = ImportResult()
    package var first: UTCTime?
    package var last: UTCTime?
  }

  /// The devices by name.
  package var devices: [DeviceID: Device] = [:]
  /// The names of the option `--rename` with fixes or visits.
  var renamed: Set<DeviceID> = []
  /// The rows that could not be read.
  package var problems = ProblemLog()
  /// Points without a time, which have no place in a history.
  package var untimed = 0
  /// Those among them that are problems already, because their time could not be read.
  var unreadableTimes = 0
  /// Those among them from NMEA, whose sentences may have no date.
  var untimedNMEA = 0
  /// Dates that were corrected by a multiple of 1,024 weeks.
  var movedDates = 0
  /// Times without a zone, which may be local times.
  var timesWithoutZone = 0
  /// Stays that the file states.
  package var visits = 0
  /// Those among them that the store did not have.
  package var keptVisits = 0
  /// Places and routes, which are no positions of the device.
  package var places = 0
  package var skipped = SkippedElements()
  /// Files without a recording, in archives and folders.
  package var skippedFiles = 0

  package var kept: Int { devices.values.reduce(0) { $0 + $1.result.kept } }
  package var duplicates: Int { devices.values.reduce(0) { $0 + $1.result.duplicates } }
  /// The devices that got fixes, in the order of their names.
  package var newDevices: [DeviceID] { devices.filter { $0.value.result.kept > 0 }.keys.sorted() }
  /// The refused rows: without those of which only a value is left out.
  package var refused: Int { problems.refusals + untimed - unreadableTimes }
  /// Whether a number, a place or a time was refused for its value.
  var hasWrongValues: Bool {
    let kinds: [InputProblem.Kind] = [.badNumber, .badCoordinate, .badTime]
    return kinds.contains { problems.counts[$0] != nil }
  }
  /// The reason why every row was refused; `nil` if a row was not.
  var refusalReason: String? {
    guard refused > 0, kept + duplicates + visits + places == 0 else { return nil }
    guard untimed == refused else { return "every row was refused. See the rows above." }
    return
      "no point has a time. Points without a time have no place in a history. For NMEA without dates, pass --date with the date of the first sentence."
  }

  package mutating func add(_ result: ImportResult, of fixes: [Fix], to device: DeviceID) {
    var entry = devices[device] ?? Device()
    entry.result.kept += result.kept
    entry.result.duplicates += result.duplicates
    for case let time? in fixes.map(\.time) {
      entry.first = min(entry.first ?? time, time)
      entry.last = max(entry.last ?? time, time)
    }
    devices[device] = entry
  }

  /// Adds the report of a file.
  package mutating func add(_ other: ImportReport) {
    for (name, device) in other.devices {
      var entry = devices[name] ?? Device()
      entry.result.kept += device.result.kept
      entry.result.duplicates += device.result.duplicates
      entry.first = [entry.first, device.first].compactMap(\.self).min()
      entry.last = [entry.last, device.last].compactMap(\.self).max()
      devices[name] = entry
    }
    renamed.formUnion(other.renamed)
    problems.append(other.problems, part: nil)
    untimed += other.untimed
    unreadableTimes += other.unreadableTimes
    untimedNMEA += other.untimedNMEA
    timesWithoutZone += other.timesWithoutZone
    visits += other.visits
    keptVisits += other.keptVisits
    places += other.places
    skippedFiles += other.skippedFiles
  }

  // MARK: Text

  /// The lines of the devices, in the order of their names.
  package var deviceLines: [String] {
    devices.sorted { $0.key < $1.key }.map { name, device in
      let span = [device.first, device.last].compactMap { $0?.dateText }.joined(separator: " – ")
      return
        "\(name.rawValue.sanitizedToOneLine): \(device.result.kept.grouped) kept, \(Self.text(duplicates: device.result.duplicates)), \(span)"
    }
  }

  /// The line of the counts: `1,204 kept, 3 duplicates, 1 refused, 2 values left out, 12 of 15 stated visits kept`.
  var countLine: String {
    var line = "\(kept.grouped) kept, \(Self.text(duplicates: duplicates)), \(refused.grouped) refused"
    let values = problems.valuesLeftOut
    if values > 0 { line += ", \(Quantities.count(values, "value")) left out" }
    guard visits > 0 else { return line }
    return "\(line), \(keptVisits.grouped) of \(Quantities.count(visits, "stated visit")) kept"
  }

  private static func text(duplicates count: Int) -> String { Quantities.count(count, "duplicate") }

  /// Returns the lines about a file's rows that are not in the store.
  ///
  /// - Parameter isStopped: whether an error of the store has ended the import of the file, so that read positions are
  ///   not counted.
  func remarkLines(of name: String, isStopped: Bool) -> [String] {
    var lines = ProblemReport.lines(problems, of: name)
    if !isStopped, devices.isEmpty, refused == 0, visits == 0, places == 0 {
      lines.append("\(name): holds no valid position")
    }
    if untimed > 0 {
      let remedy = untimedNMEA > 0 ? " (see --date)" : ""
      lines.append("\(name): rejected \(Quantities.count(untimed, "point")) without a time\(remedy)")
    }
    if let line = OmissionText.line(movedDates: movedDates) { lines.append("\(name): \(line)") }
    if let times = OmissionText.line(timesWithoutZone: timesWithoutZone) {
      lines.append(
        """
        \(name): \(times). If they are local times, erase the points (`whereabouts forget`), and import the file with \
        offsets, as in 10:00:00+02:00
        """)
    }
    if visits > 0 {
      lines.append(
        """
        \(name): \(Quantities.count(visits, "stated visit")): \(keptVisits.grouped) kept, \
        \(Self.text(duplicates: visits - keptVisits))
        """)
    }
    if places > 0 {
      lines.append(
        "\(name): skipped \(Quantities.count(places, "place or route point", "places or route points"))")
    }
    if let line = OmissionText.line(skipped, of: name) { lines.append(line) }
    return lines
  }

  /// Returns the report as a JSON object.
  ///
  /// - Parameter file: the name of the file; `nil` for the report of all files.
  package func json(file: String?, isDryRun: Bool) -> JSONObject {
    var object = JSONObject()
    object.add("file", file)
    if file == nil { object.add("total", true as Bool?) }
    object.add("kept", kept)
    object.add("duplicates", duplicates)
    object.add("refused", refused)
    object.add("valuesLeftOut", problems.valuesLeftOut == 0 ? nil : problems.valuesLeftOut)
    object.add("timesWithoutZone", timesWithoutZone == 0 ? nil : timesWithoutZone)
    object.add("visits", visits == 0 ? nil : visits)
    object.add("keptVisits", visits == 0 ? nil : keptVisits)
    object.add("places", places == 0 ? nil : places)
    object.add("skippedFiles", skippedFiles == 0 ? nil : skippedFiles)
    if isDryRun { object.add("dryRun", true as Bool?) }
    object.add(
      "devices",
      devices.sorted { $0.key < $1.key }.map { name, device in
        var entry = JSONObject()
        entry.add("device", name.rawValue as String?)
        entry.add("kept", device.result.kept)
        entry.add("duplicates", device.result.duplicates)
        entry.add("first", device.first?.iso8601)
        entry.add("last", device.last?.iso8601)
        return entry
      })
    object.add("problems", problems.samples.map(Self.json))
    return object
  }

  private static func json(_ problem: InputProblem) -> JSONObject {
    var object = JSONObject()
    object.add("kind", problem.kind.rawValue as String?)
    object.add("part", problem.part)
    object.add("line", problem.line)
    object.add("byte", problem.byteOffset)
    object.add("detail", problem.detail as String?)
    return object
  }
}
