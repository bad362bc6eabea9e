import WhereaboutsModel
import WhereaboutsGeodesy

// Our own forms: JSON lines of fixes as `--json` prints them, with outcomes and fence events among them, or an array of
// them; and the `whereabouts` form of uploads, which docs/upload.md describes. Also locations of Transistorsoft's SDK: an
// app removes a location from its queue after any answer of 2xx, so a refused one would be lost.

extension PhoneReportBuilder {
  mutating func readWhereabouts(_ text: UnsafeRawBufferPointer) {
    guard !text.isEmpty else { return countOther("empty") }
    if text.first == UInt8(ascii: "[") {
      return readRows(of: text, ofWhat: "items") { (builder, item) throws(PhoneRowError) in
        try builder.readItem(item)
      }
    }
    if let batch = PhoneObject(tolerant: text) {
      if let items = batch.array("items"), PhoneRow(batch).text("whereabouts") == "upload" {
        recordDevice(PhoneRow(batch).text("device"))
        return readRows(of: items, ofWhat: "items") { (builder, item) throws(PhoneRowError) in
          try builder.readItem(item)
        }
      }
      if batch.array("location") != nil, !PhoneRow(batch).has("lat"), !Self.hasLines(text) {
        return readTraccar(text)
      }
      // One object may have several lines.
      if PhoneObject(text) != nil {
        return readObjectRow(text) { (builder, item) throws(PhoneRowError) in try builder.readItem(item) }
      }
    }
    for line in text.split(separator: UInt8(ascii: "\n")) {
      let line = UnsafeRawBufferPointer(rebasing: line).withoutOuterSpace
      guard !line.isEmpty else { continue }
      readObjectRow(line) { (builder, item) throws(PhoneRowError) in try builder.readItem(item) }
    }
  }

  /// Returns whether the first line of a text is an object and another line follows.
  private static func hasLines(_ text: UnsafeRawBufferPointer) -> Bool {
    guard let end = text.firstIndex(of: UInt8(ascii: "\n")) else { return false }
    return PhoneObject(UnsafeRawBufferPointer(rebasing: text[..<end])) != nil
  }

  private mutating func readItem(_ item: PhoneObject) throws(PhoneRowError) {
    var row = PhoneRow(item)
    let device = row.text("device")
    recordDevice(device)
    if row.has("revised", "revoked") {
      countOther("revised")
    } else if let crossing = item.object("crossing") {
      report.transitions.append(try whereaboutsTransition(crossing))
    } else if row.has("event"), row.has("fence") {
      report.transitions.append(try whereaboutsTransition(item))
    } else if let fix = item.object("fix") {
      try readFix(fix, seen: row.optionalTime("seen"), of: device)
      recordIgnored(row)
    } else if !row.has("lat"), item.object("location") != nil || item.object("coords") != nil {
      try readTraccarObject(item, of: device)
    } else {
      guard row.has("time") || !row.has("tst") else {
        throw PhoneRowError.ownTracksMessage
      }
      guard item.array("locations") == nil else { throw PhoneRowError.overlandBatch }
      try readFix(item, seen: nil, of: device)
    }
  }

  private mutating func readFix(
    _ object: PhoneObject, seen: UTCTime?, of device: String?
  ) throws(PhoneRowError) {
    var fix = try Fix(jsonObject: object.bytes)
    if let course = fix.course, !(0..<360).contains(course) {
      recordIgnored("track", "is no course: it is not in [0, 360)")
      fix.course = nil
    }
    removeNegative(\.horizontalAccuracy, of: &fix, "hacc")
    removeNegative(\.verticalAccuracy, of: &fix, "vacc")
    removeNegative(\.speed, of: &fix, "speed")
    removeNegative(\.speedAccuracy, of: &fix, "speedAcc")
    removeNegative(\.courseAccuracy, of: &fix, "trackAcc")
    removeNegative(\.horizontalDilution, of: &fix, "hdop")
    removeNegative(\.verticalDilution, of: &fix, "vdop")
    removeNegative(\.positionDilution, of: &fix, "pdop")
    var phone = PhoneFix(
      fix, time: fix.time ?? seen ?? request.arrival, timeOrigin: fix.time == nil ? .arrival : .stated,
      row: row)
    phone.device = device
    append(phone)
  }

  private mutating func removeNegative<Number: BinaryFloatingPoint>(
    _ value: WritableKeyPath<Fix, Number?>, of fix: inout Fix, _ name: String
  ) {
    guard let number = fix[keyPath: value], number < 0 else { return }
    recordIgnored(name, "is negative")
    fix[keyPath: value] = nil
  }

  private func whereaboutsTransition(_ object: PhoneObject) throws(PhoneRowError) -> PhoneTransition {
    let row = PhoneRow(object)
    guard let kind = row.text("event").flatMap(PhoneTransition.Kind.init(rawValue:)) else {
      throw PhoneRowError(.malformed, "event is neither enter, exit nor dwell")
    }
    guard let fence = row.text("fence") else { throw PhoneRowError(.missing, "no fence") }
    let time = try row.statedTime("time", arrival: request.arrival)
    var transition = PhoneTransition(kind, time: time.time, timeOrigin: time.origin, row: self.row)
    transition.regionID = fence
    transition.name = row.text("name")
    if row.has("lat"), row.has("lon") { transition.coordinate = try row.coordinate(["lat"], ["lon"]) }
    if let decidedBy = object.object("decidedBy") {
      var fix = PhoneRow(decidedBy)
      transition.horizontalAccuracy = fix.positiveOrZero("hacc")
      transition.isSimulated = decidedBy.value("simulated")?.flag == true
    }
    return transition
  }
}

extension Fix {
  /// Reads the object of a fix in the form of JSON lines.
  fileprivate init(jsonObject bytes: UnsafeRawBufferPointer) throws(PhoneRowError) {
    // A line of its own; a line feed between two members of an item's fix means nothing.
    var decoder = JSONLinesDecoder()
    decoder.others = nil
    let batch = decoder.decodeAll(bytes.map { $0 == 0x0A ? 0x20 : $0 })
    if let problem = batch.problems.samples.first { throw PhoneRowError(problem.kind, problem.detail) }
    guard let fix = batch.fixes.first else { throw PhoneRowError(.missing, "no fix") }
    self = fix
  }
}
