import Whereabouts
import WhereaboutsTesting

/// The faults of a month: receivers that lose their fix, fall silent, give up or are forbidden; a wall clock that is
/// set; a disk that is full.
struct SoakFaults {
  /// The number of occurrences of each fault.
  private(set) var counts: [String: Int] = [:]
  private var random: SeededGenerator
  private let clock: StepClock
  private let store: SoakStore
  /// Until which second each receiver delivers nothing; after it gave up, until it is asked again besides.
  private var silentUntil: [Int]
  private var demandCountAtFailure: [Int?]
  private var deniedUntil: Int?
  private var fullUntil: Int?
  private var next: Int

  init(seed: UInt64, clock: StepClock, store: SoakStore, receivers: Int) {
    random = SeededGenerator(seed: seed)
    self.clock = clock
    self.store = store
    silentUntil = Array(repeating: 0, count: receivers)
    demandCountAtFailure = Array(repeating: nil, count: receivers)
    next = 900
  }

  var isQuiet: Bool { deniedUntil == nil && fullUntil == nil }

  /// Whether a receiver has a fix to say.
  mutating func delivers(_ place: Int, asked: Int, at second: Int) -> Bool {
    guard deniedUntil == nil, second >= silentUntil[place] else { return false }
    if let before = demandCountAtFailure[place] {
      guard asked > before else { return false }
      demandCountAtFailure[place] = nil
    }
    return true
  }

  /// Lets happen what happens by this second.
  mutating func advance(_ second: Int, _ receivers: [SoakReceiver]) async {
    if let until = deniedUntil, second >= until {
      deniedUntil = nil
      for receiver in receivers { await receiver.send(.authorization(Authorization(.always))) }
    }
    if let until = fullUntil, second >= until {
      fullUntil = nil
      await store.setFull(false)
    }
    guard second >= next else { return }
    next = second + Int.random(in: 300...5400, using: &random)
    await injectFault(second, receivers)
  }

  /// Sets everything right.
  mutating func restoreAll(_ receivers: [SoakReceiver]) async {
    silentUntil = silentUntil.map { _ in 0 }
    next = .max
    (deniedUntil, fullUntil) = (deniedUntil.map { _ in 0 }, fullUntil.map { _ in 0 })
    await advance(1, receivers)
  }

  private mutating func injectFault(_ second: Int, _ receivers: [SoakReceiver]) async {
    let place = Int.random(in: receivers.indices, using: &random)
    let receiver = receivers[place]
    let until = second + Int.random(in: 5...1800, using: &random)
    switch Int.random(in: 0..<10, using: &random) {
    case 0, 1:
      count("no fix")
      silentUntil[place] = until
      await receiver.send(.unavailable(SourceProblem(.noPosition, message: "see the sky")))
    case 2:
      count("unplugged")
      silentUntil[place] = until
      await receiver.send(.unavailable(SourceProblem(.unreachable, message: "reach the receiver")))
      await receiver.send(.segmentBegan)
    case 3, 4:
      count("silent")
      silentUntil[place] = until
    case 5:
      count("all silent")
      for place in silentUntil.indices { silentUntil[place] = until }
    case 6:
      count("given up")
      demandCountAtFailure[place] = await receiver.demandCount
      await receiver.send(.failed(SourceProblem(.unreachable, message: "reach the receiver")))
    case 7:
      count("denied")
      deniedUntil = until
      for receiver in receivers {
        await receiver.send(.authorization(Authorization(.denied, remedy: "Ask whoever owns it.")))
      }
    case 8:
      count("full disk")
      fullUntil = until
      await store.setFull(true)
    default:
      count("clock set")
      let isKnown = Int.random(in: 0..<4, using: &random) > 0
      let error = Duration.seconds(Int.random(in: -100_000...100_000, using: &random))
      clock.setWall(isKnown ? SoakPlan.start.advanced(by: .seconds(second) + error) : nil)
    }
  }

  private mutating func count(_ what: String) { counts[what, default: 0] += 1 }
}
