import Foundation
import Synchronization
import Whereabouts
import WhereaboutsGeodesy
import WhereaboutsModel
import WhereaboutsStore
import WhereaboutsTesting

/// Kills the server again and again while phones send and a program reads its stream.
///
/// Every fix is sent until it is acknowledged. At the end the store must contain each fix once. The crossings must
/// equal those of a server without kills, and the stream must have delivered each crossing once.
struct ServerRun {
  private static let devices = ["anna", "bob", "carl"]

  private let kills: Int
  private let seed: UInt64
  private let program: String
  private var random: SeededGenerator
  private var violations: [String] = []

  init(_ options: RunnerOptions) throws {
    kills = Int(try options.number("count", default: 200))
    seed = try options.number("seed", default: 1)
    random = SeededGenerator(seed: seed)
    program = try options.program()
  }

  mutating func run() async throws {
    let folder = try WorkFolder(), start = Date()
    let base = UTCTime(nanosecondsSince1970: Int64(start.timeIntervalSince1970) * 1_000_000_000)
      .advanced(by: .seconds(-30 * 86_400))
    let plans = Self.devices.enumerated().map { number, name in
      PhonePlan(device: name, seed: seed &* 31 &+ UInt64(number), walks: max(12, kills), start: base)
    }
    let calm = try ServerProcess(program, store: folder.path("calm.sqlite"), in: folder)
    try calm.putFences()
    for plan in plans { PhoneClient(plan).sendAll(to: calm) }
    try calm.stop()
    let killed = try await sendWhileKilling(plans, folder)
    for plan in plans {
      let expected = try await ServerOutcome(of: folder.path("calm.sqlite"), plan.device)
      let found = try await ServerOutcome(of: folder.path("killed.sqlite"), plan.device)
      compare(found, with: expected, plan)
    }
    for violation in violations { printLine("violated: \(violation)") }
    printLine("server kills \(killed), seed \(seed), \(Int(Date().timeIntervalSince(start))) s")
    if violations.isEmpty { folder.remove() } else { printLine("left in \(folder.url.path)") }
    printLine(violations.isEmpty ? "done" : "violated")
  }

  /// - Returns: the number of kills.
  private mutating func sendWhileKilling(_ plans: [PhonePlan], _ folder: WorkFolder) async throws -> Int {
    let path = folder.path("killed.sqlite")
    var server = try ServerProcess(program, store: path, in: folder)
    try server.putFences()
    let clients = plans.map(PhoneClient.init)
    let reader = StreamReader()
    var count = 0
    while !clients.allSatisfy(\.isDone) {
      // Each later kill has something to interrupt, however late this one comes.
      let exchange = server.exchange, rest = kills - count
      let threads = clients.map { client in
        BackgroundThread { client.send(to: exchange, pausing: true, leaving: rest) }
      }
      let stream = BackgroundThread { reader.read(from: exchange) }
      if count < kills {
        usleep(UInt32.random(in: 0...250_000, using: &random))
        server.kill()
        count += 1
        threads.forEach { $0.join() }
      } else {
        threads.forEach { $0.join() }
        try server.stop()
      }
      stream.join()
      server = try ServerProcess(program, store: path, in: folder, token: exchange.token)
    }
    // The crossings that the last stream had not delivered yet.
    let exchange = server.exchange
    let stream = BackgroundThread { reader.read(from: exchange) }
    let stored = try Self.positions(path)
    let limit = Date().addingTimeInterval(ChildProcess.timeLimit)
    while reader.ids.count < stored.count, Date() < limit { usleep(50_000) }
    try server.stop()
    stream.join()
    check(reader, stored)
    return count
  }

  /// Returns the positions of all crossings in a store.
  private static func positions(_ path: String) throws -> [Int] {
    let store = try SQLiteStore.open(at: path, access: .readOnly)
    defer { store.close() }
    return try store.fenceRecords(afterPosition: 0, of: nil, limit: 1_000_000).map { Int($0.position) }
  }

  private mutating func check(_ reader: StreamReader, _ stored: [Int]) {
    let ids = reader.ids
    if Set(ids).count < ids.count { violations.append("the stream delivered a crossing twice") }
    if stored != ids { violations.append("the stream delivered \(ids.count) of \(stored.count) crossings") }
    if stored.isEmpty { violations.append("no crossing was delivered") }
  }

  private mutating func compare(_ found: ServerOutcome, with expected: ServerOutcome, _ plan: PhonePlan) {
    if found.places != plan.places {
      violations.append("\(plan.device): \(found.places.count) fixes and not \(plan.places.count), or others")
    }
    if expected.places != plan.places {
      violations.append("\(plan.device): the calm server has \(expected.places.count) fixes")
    }
    if found.events != expected.events {
      violations.append(
        "\(plan.device): \(found.events.count) events and not \(expected.events.count), or others")
    }
  }
}

/// The final content of a store for one device.
private struct ServerOutcome {
  var places: [Coordinate] = []
  var events: [FenceEvent] = []

  init(of path: String, _ device: String) async throws {
    let store = try SQLiteStore.open(at: path, access: .readOnly)
    defer { store.close() }
    let device = DeviceID(device)
    try store.history(of: device, uses: Set(LoggedFix.Use.allCases)) { places.append($0.fix.fix.coordinate) }
    for numbered in try await store.fenceRecords(of: device, after: 0, limit: 100_000) {
      if case .event(let event) = numbered.record { events.append(event) }
    }
  }
}
