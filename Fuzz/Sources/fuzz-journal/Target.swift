public import FuzzSupport
import WhereaboutsEngine
import WhereaboutsJournal

/// Reads bytes as a journal, writes what could be read and reads it back, and runs an engine by it.
@_cdecl("LLVMFuzzerTestOneInput")
public func testOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  withInput(start, count) { input in
    let lines = read(input)
    // As bytes: a number that is none is not equal to itself.
    let written = write(lines)
    guard write(read(written)) == written else { fatalError("a journal comes back as another") }
    play(lines)
  }
}

/// The entry point of the program.
@_cdecl("fuzz_journal_main")
public func main(_ count: CInt, _ arguments: CArguments?) -> CInt {
  runFuzzer(count, arguments, testOneInput)
}

private func read(_ input: [UInt8]) -> [JournalLine] {
  var decoder = JournalDecoder()
  input.withUnsafeBytes { decoder.decode($0) }
  decoder.finish()
  return decoder.lines.map(\.content)
}

private func write(_ lines: [JournalLine]) -> [UInt8] {
  var bytes: [UInt8] = []
  for line in lines {
    switch line {
    case .header(let header): JournalFormat.write(header, to: &bytes)
    case .entry(let entry): JournalFormat.write(entry, to: &bytes)
    }
  }
  return bytes
}

/// No journal may make an engine trap, and a copy of its player must go on as it does.
private func play(_ lines: [JournalLine]) {
  var player = JournalPlayer(JournalHeader(settings: EngineSettings(), began: nil))
  var effects: [Effect] = []
  var log = DecisionLog(settings: EngineSettings())
  for line in lines {
    switch line {
    case .header(let header):
      player = JournalPlayer(header)
      log = DecisionLog(settings: header.settings)
    case .entry(let entry):
      var copy = player
      var copied: [Effect] = []
      guard (try? player.play(entry, into: &effects)) != nil else { continue }
      _ = log.decisions(after: entry.input, at: entry.moment, effects: effects)
      guard (try? copy.play(entry, into: &copied)) != nil,
        copied == effects || effects.contains(where: \.isOdd)
      else { fatalError("the same entry has other effects: \(entry)") }
    }
  }
}

extension Effect {
  /// Numbers that are none are not equal to themselves.
  fileprivate var isOdd: Bool { self != self }
}
