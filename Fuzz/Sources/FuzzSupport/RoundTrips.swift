public import WhereaboutsCore
import WhereaboutsFormats

/// Writes fixes in every form that reads back exactly, and traps where they come back as others.
public func expectRoundTrips(_ fixes: [Fix]) {
  expectSame(fixes, through: JSONLinesWriter(), JSONLinesDecoder(), "JSON lines")
  expectSame(fixes.map(\.asCSVKeepsIt), through: CSVWriter(), CSVDecoder(), "CSV")
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
  /// This fix without what CSV has no way to say: there a negative number of what can't be negative is an absent one,
  /// and a course is brought into [0, 360).
  fileprivate var asCSVKeepsIt: Fix {
    func known<Number: BinaryFloatingPoint>(_ number: Number?) -> Number? {
      number.flatMap { $0 >= 0 ? $0 : nil }
    }
    var fix = self
    fix.horizontalAccuracy = known(horizontalAccuracy)
    fix.verticalAccuracy = known(verticalAccuracy)
    fix.speed = known(speed)
    fix.speedAccuracy = known(speedAccuracy)
    fix.course = known(course).map { $0.truncatingRemainder(dividingBy: 360) }
    fix.courseAccuracy = known(courseAccuracy)
    fix.horizontalDilution = known(horizontalDilution)
    fix.verticalDilution = known(verticalDilution)
    fix.positionDilution = known(positionDilution)
    return fix
  }
}
