import Foundation
import Whereabouts
import WhereaboutsStore
import WhereaboutsTesting

/// A manager over a store, a device that enters and leaves a fence, and a listener.
struct ProblemFixture {
  private static let start = UTCTime(nanosecondsSince1970: 1_717_243_200_000_000_000)

  let manager: LocationManager
  let recorder = UpdateRecorder()
  private let clock = StepClock(wall: Self.start)
  private let source = ScriptedSource()
  private let updatesTask: Task<Void, Never>
  private let healthTask: Task<Void, Never>
  private(set) var seconds = 0

  /// - Parameter seconds: the start time, after an earlier fixture on the same store.
  init(_ store: (any LocationStore)?, after seconds: Int = 0) async throws {
    self.seconds = seconds
    manager = LocationManager(source: source, clock: clock.managerClock, store: store)
    let updates = manager.fences.updates(), health = manager.storeHealth, listener = recorder
    updatesTask = Task { for await update in updates { await listener.record(update) } }
    healthTask = Task { for await state in health { await listener.record(state) } }
    guard let center = Coordinate(latitude: 47, longitude: 8) else { throw RunnerError("no place") }
    let home = Fence(id: "home", area: .circle(try Area.Circle(center: center, radius: 100)))
    try await manager.fences.update(home)
  }

  /// Emits a fix each second; the device enters or leaves the fence about every half minute.
  mutating func drive(_ count: Int) async {
    for _ in 0..<count {
      seconds += 1
      await clock.advance(by: .seconds(1))
      let phase = Double(seconds % 120), north = 10 * (phase < 60 ? phase - 30 : 90 - phase)
      await source.emit(
        Fix.test(
          latitude: 47 + north / 111_170, longitude: 8, accuracy: 4, time: Self.time(seconds)))
    }
  }

  static func time(_ seconds: Int) -> UTCTime { start.advanced(by: .seconds(seconds)) }

  /// Returns the store error that is reported now, once it has reached the listener.
  func reportedError() async -> StoreError.Code? {
    while true {
      let code = UpdateRecorder.error(in: await manager.storeHealth.first { _ in true })
      if await recorder.storeError == code { return code }
      try? await Task.sleep(for: .milliseconds(1))
    }
  }

  /// Ends the source and the listeners, as at the end of a program. Then the recorder has all updates.
  func end() async {
    source.end()
    await updatesTask.value
    healthTask.cancel()
  }

  /// Returns the events of a run without problems.
  static func expectedEvents(seconds: Int) async throws -> [FenceEvent] {
    var stage = try await ProblemFixture(nil)
    await stage.drive(seconds)
    await stage.end()
    return await stage.recorder.events
  }
}

/// Records the updates of a manager.
actor UpdateRecorder {
  private(set) var events: [FenceEvent] = []
  private(set) var health: [StoreHealth] = []
  private(set) var storeErrors: [StoreError.Code] = []
  private(set) var recoveryCount = 0

  func record(_ update: FenceUpdate) {
    switch update {
    case .record(let record):
      if case .event(let event) = record.record { events.append(event) }
    case .storeFailed(let problem): storeErrors.append(problem.code)
    case .storeRecovered: recoveryCount += 1
    case .problem, .authorization: break
    }
  }

  func record(_ state: StoreHealth) { health.append(state) }

  /// The current store error.
  var storeError: StoreError.Code? { Self.error(in: health.last) }

  static func error(in health: StoreHealth?) -> StoreError.Code? {
    switch health {
    case .failing(let problem), .unusable(let problem): problem.code
    case .working, .none?, nil: nil
    }
  }
}
