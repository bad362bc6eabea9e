import WhereaboutsModel
public import WhereaboutsFormats
import WhereaboutsGeodesy

/// Writes what was read in every form that can be read back, and traps where it comes back as something else.
public func expectRoundTrips(_ elements: [RecordingElement]) {
  let fixes = elements.compactMap { if case .fix(let fix) = $0 { fix.asWritten } else { nil } }
  expectSame(fixes, through: JSONLinesWriter(), JSONLinesDecoder(), "JSON lines")
  expectSame(fixes, through: CSVWriter(), CSVDecoder(), "CSV")
  expectStable(elements)
}

/// GPX leaves things out and rounds small numbers. What came through it once must come through again unchanged, and
/// no fix may be lost or moved.
private func expectStable(_ elements: [RecordingElement]) {
  let once = throughGPX(elements)
  let twice = throughGPX(once)
  for (first, second) in zip(once, twice) where first != second {
    fatalError("written as GPX\n\(first)\nand read\n\(second)")
  }
  guard once.count == twice.count else {
    fatalError("\(once.count) elements written as GPX and \(twice.count) read")
  }
  let places = elements.compactMap(\.placeOfFix)
  let placesRead = once.compactMap(\.placeOfFix)
  guard places.count == placesRead.count, zip(places, placesRead).allSatisfy({ $0.isNear($1) }) else {
    fatalError("written as GPX\n\(places)\nand read\n\(placesRead)")
  }
}

private func throughGPX(_ elements: [RecordingElement]) -> [RecordingElement] {
  var writer = GPXWriter()
  var decoder = GPXDecoder()
  var bytes: [UInt8] = []
  for element in elements { writer.write(element, to: &bytes) }
  writer.finish(to: &bytes)
  let batch = decoder.decodeAll(bytes)
  guard batch.problems.total == 0 else { fatalError("written as GPX and not readable: \(batch.problems)") }
  return batch.elements
}

extension RecordingElement {
  fileprivate var placeOfFix: Coordinate? {
    if case .fix(let fix) = self { fix.coordinate } else { nil }
  }
}

extension Coordinate {
  fileprivate func isNear(_ other: Coordinate) -> Bool {
    abs(latitude - other.latitude) <= 1e-9 && abs(longitude - other.longitude) <= 1e-9
  }
}

private func expectSame(
  _ fixes: [Fix], through writer: some RecordingWriter, _ decoder: some RecordingDecoder, _ form: String
) {
  var writer = writer
  var decoder = decoder
  var bytes: [UInt8] = []
  for fix in fixes { writer.write(fix, to: &bytes) }
  writer.finish(to: &bytes)
  let batch = decoder.decodeAll(bytes)
  guard batch.problems.total == 0 else {
    fatalError("written as \(form) and not readable: \(batch.problems)")
  }
  let readBack = batch.fixes
  for (written, read) in zip(fixes, readBack) where written != read {
    fatalError("written as \(form)\n\(written)\nand read\n\(read)")
  }
  guard fixes.count == readBack.count else {
    fatalError("\(fixes.count) fixes written as \(form) and \(readBack.count) read")
  }
}

extension Fix {
  /// This fix without impossible values, which no writer writes.
  fileprivate var asWritten: Fix {
    func known<Number: BinaryFloatingPoint>(_ number: Number?) -> Number? {
      number.flatMap { $0 >= 0 ? $0 : nil }
    }
    var fix = self
    fix.horizontalAccuracy = known(horizontalAccuracy)
    fix.verticalAccuracy = known(verticalAccuracy)
    fix.speed = known(speed)
    fix.speedAccuracy = known(speedAccuracy)
    fix.course = course.flatMap { (0...360).contains($0) ? $0.truncatingRemainder(dividingBy: 360) : nil }
    fix.courseAccuracy = known(courseAccuracy)
    fix.horizontalDilution = known(horizontalDilution)
    fix.verticalDilution = known(verticalDilution)
    fix.positionDilution = known(positionDilution)
    return fix
  }
}
