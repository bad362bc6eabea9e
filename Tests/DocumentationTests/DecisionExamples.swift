import WhereaboutsEngine
import Foundation
import Testing
import Whereabouts
import WhereaboutsJournal
import WhereaboutsSources
import WhereaboutsTesting

/// The code of "See why it did what it did".
@Suite struct DecisionExamples {
  func explain(_ manager: LocationManager, on screen: Screen) async {
    for await entry in manager.decisions() {
      switch entry.decision {
      case .refused(_, let refusal):
        await screen.say("a fix was not used: \(refusal.reason.rawValue)")
      case .requestEnded(_, let terms, .timedOut(let best), let waited):
        let accuracy = best?.fix.horizontalAccuracy ?? .infinity
        await screen.say("no \(terms.level.name) within \(waited): \(accuracy) m at best")
      case .demandChanged(_, let demand, let cause):
        await screen.say("receiver \(demand == .off ? "off" : "on"), since \(cause.left.count) left")
      default:
        break
      }
    }
  }

  @Test func decisionsHaveReasonsAndNumbers() async {
    let source = ScriptedSource()
    let clock = StepClock()
    let screen = Screen()
    let manager = LocationManager(source: source, clock: clock.managerClock)
    let explaining = Task { await explain(manager, on: screen) }
    // The listener hears of what is decided from when it began to listen.
    while await screen.messages.isEmpty { await source.emit(.marienplatz(accuracy: -1)) }
    let request = manager.request(.house, timeout: .seconds(10))
    await source.emit(.marienplatz(accuracy: 40))
    _ = await clock.nextDeadline()
    await clock.advance(by: .seconds(10))
    _ = await request.outcome
    await screen.waitForMessage("a fix was not used: invalid accuracy")
    await screen.waitForMessage("receiver on, since 0 left")
    await screen.waitForMessage("no house within 10.0 seconds: 40.0 m at best")
    await screen.waitForMessage("receiver off, since 1 left")
    explaining.cancel()
    await explaining.value
  }

  // MARK: The journal

  func isTheSameAgain(_ path: String) throws -> Bool {
    var reader = try JournalReader(path: path)
    var lines: [JournalDecoder.Line] = []
    var player: JournalPlayer?
    var effects: [Effect] = []
    while try reader.read(into: &lines) {
      for line in lines {
        switch line.content {
        case .header(let header): player = JournalPlayer(header)
        case .entry(let entry): try player?.play(entry, into: &effects)
        }
      }
    }
    return player?.differenceCount == 0
  }

  @Test func journalReplay() async throws {
    let path = FileManager.default.temporaryDirectory.appending(path: "\(UUID().uuidString).journal").path()
    defer { try? FileManager.default.removeItem(atPath: path) }
    let source = ScriptedSource()

    let journal = try JournalFile(path: path)
    let manager = LocationManager(source: source, clock: .system, journal: journal)

    let request = manager.request(.house, timeout: nil)
    _ = await source.demand { $0 != .off }
    await source.emit(.marienplatz(accuracy: 40))
    await source.emit(.marienplatz(accuracy: 12, second: 1))
    _ = await request.outcome
    #expect(try isTheSameAgain(path))
  }
}
