import Whereabouts
import WhereaboutsEngine
import WhereaboutsModel
import WhereaboutsFormats

/// A state machine for a relay's clients: the data for each, and the demand on the source.
///
/// A value without a clock or a socket: events are its input, effects in order its output.
struct RelaySession {
  /// The protocol of a client.
  enum Dialect: Hashable, Sendable {
    case gpsd
    case nmea
  }

  enum Event {
    case clientConnected(Int, Dialect)
    case clientDisconnected(Int)
    case requestReceived(Int, GPSDRequest)
    case signal(SourceSignal)
  }

  enum Effect: Hashable {
    case send([UInt8], to: [Int])
    case demand(Demand)
  }

  private struct Client {
    let dialect: Dialect
    var watch: GPSDWatch
  }

  /// The greatest age of a fix in the reply to `?POLL;`.
  private static let maxPolledFixAge = Duration.seconds(10)

  /// The demand while a client watches: everything the source has.
  private let activeDemand = Demand.continuous(Demand.Continuous(accuracy: 0))
  private let revision: String
  private let gpsd: GPSDEncoder
  private var nmea = NMEAEncoder()
  private var clients: [Int: Client] = [:]
  private var demand = Demand.off
  private var activatedAt: UTCTime?
  private var lastFix: (fix: Fix, at: UTCTime)?
  private var lastSky: SatellitesInView?
  /// The relay's status.
  private(set) var status = RelayStatus()

  init(device: String, revision: String) {
    self.revision = revision
    gpsd = GPSDEncoder(device: device, driver: "Whereabouts")
  }

  /// Processes one event.
  ///
  /// - Parameter now: the wall clock.
  mutating func handle(_ event: Event, at now: UTCTime) -> [Effect] {
    switch event {
    case .clientConnected(let number, let dialect):
      clients[number] = Client(
        dialect: dialect,
        watch: GPSDWatch(isEnabled: dialect == .nmea, isJSON: false, isNMEA: dialect == .nmea))
      let greeting =
        dialect == .gpsd ? [send(number) { gpsd.appendVersion(revision: revision, to: &$0) }] : []
      return greeting + updateDemand(at: now)
    case .clientDisconnected(let number):
      clients[number] = nil
      return updateDemand(at: now)
    case .requestReceived(let number, let request):
      guard clients[number]?.dialect == .gpsd else { return [] }
      return answer(request, number, at: now)
    case .signal(let signal): return process(signal, at: now)
    }
  }

  // MARK: - Requests

  private mutating func answer(_ request: GPSDRequest, _ number: Int, at now: UTCTime) -> [Effect] {
    switch request {
    case .version: return [send(number) { gpsd.appendVersion(revision: revision, to: &$0) }]
    case .devices: return [send(number) { gpsd.appendDevices(activated: activatedAt, to: &$0) }]
    case .device: return [send(number) { gpsd.appendDevice(activated: activatedAt, to: &$0) }]
    case .watch:
      guard let watch = clients[number]?.watch else { return [] }
      return [send(number) { gpsd.appendWatch(watch, to: &$0) }]
    case .setWatch(let isEnabled, let isJSON, let isNMEA, let device):
      return setWatch(number, isEnabled, isJSON, isNMEA, device, at: now)
    case .poll:
      let isFresh = lastFix.map { now.since($0.at) <= Self.maxPolledFixAge } ?? false
      return [
        send(number) {
          gpsd.appendPoll(
            at: now, isFresh ? lastFix?.fix : nil, isFresh ? lastSky : nil, isActive: activatedAt != nil,
            to: &$0)
        }
      ]
    case .unknown(let text):
      return [send(number) { gpsd.appendFailure("Unrecognized request '\(text)'", to: &$0) }]
    }
  }

  private mutating func setWatch(
    _ number: Int, _ isEnabled: Bool?, _ isJSON: Bool?, _ isNMEA: Bool?, _ device: String?, at now: UTCTime
  ) -> [Effect] {
    guard var watch = clients[number]?.watch else { return [] }
    if let device, device != gpsd.device {
      return [send(number) { gpsd.appendFailure("No such device as \(device)", to: &$0) }]
    }
    watch.isEnabled = isEnabled ?? true
    watch.isJSON = isJSON ?? watch.isJSON
    watch.isNMEA = isNMEA ?? watch.isNMEA
    watch.device = device
    clients[number]?.watch = watch
    let demands = updateDemand(at: now)
    return demands + [
      send(number) {
        gpsd.appendDevices(activated: activatedAt, to: &$0)
        gpsd.appendWatch(watch, to: &$0)
        // A later client has not received the reason why there is no position.
        if watch.isEnabled, watch.isJSON, let problem = status.problem { append(problem, to: &$0) }
      }
    ]
  }

  // MARK: - Demand

  private mutating func updateDemand(at now: UTCTime) -> [Effect] {
    let needed = clients.values.contains { $0.watch.isEnabled } ? activeDemand : .off
    status.gpsdClients = clients.values.count { $0.dialect == .gpsd }
    status.nmeaClients = clients.values.count { $0.dialect == .nmea }
    status.isReceiverOn = needed != .off
    guard needed != demand else { return [] }
    demand = needed
    activatedAt = needed == .off ? nil : now
    if needed == .off { status.problem = nil }
    return [.demand(needed)]
  }

  // MARK: - Signals

  private mutating func process(_ signal: SourceSignal, at now: UTCTime) -> [Effect] {
    switch signal {
    case .fix(let fix, _):
      lastFix = (fix, now)
      status.fixCount += 1
      status.lastFix = now
      status.problem = nil
      return broadcast {
        gpsd.append(fix, to: &$0)
      } nmea: {
        nmea.append(fix, to: &$0)
      }
    case .satellites(let sky):
      lastSky = sky
      let fix = lastFix?.fix
      var sentences: [UInt8] = []
      nmea.append(sky, to: &sentences)
      return broadcast {
        gpsd.append(sky, fix, to: &$0)
      } nmea: {
        $0 += sentences
      }
    case .heading(let heading):
      return broadcast {
        gpsd.append(heading, to: &$0)
      } nmea: {
        nmea.append(heading, to: &$0)
      }
    case .unavailable(let problem), .failed(let problem):
      return broadcastProblem(problem)
    case .authorization(let authorization) where authorization.isRefused:
      let problem = SourceProblem(
        .notPermitted, message: "use its source: permission denied", remedy: authorization.remedy)
      return broadcastProblem(problem)
    case .authorization, .headingsUnavailable, .segmentBegan, .sources, .wakeCapacity, .woke, .ended:
      return []
    }
  }

  private mutating func broadcastProblem(_ problem: SourceProblem) -> [Effect] {
    status.problem = problem
    return broadcast {
      append(problem, to: &$0)
    } nmea: {
      nmea.appendNoPosition(to: &$0)
    }
  }

  /// Appends the reason why there is no position, and the report that there is none.
  private func append(_ problem: SourceProblem, to bytes: inout [UInt8]) {
    // The report alone states that the receiver has no fix.
    if problem.code != .noPosition {
      gpsd.appendFailure(RelayIdentity.problemPrefix + problem.message, to: &bytes)
    }
    gpsd.appendNoPosition(to: &bytes)
  }

  /// Sends the same content to every client that watches, each in its protocol.
  private func broadcast(_ json: (inout [UInt8]) -> Void, nmea: (inout [UInt8]) -> Void) -> [Effect] {
    func effect(_ isWanted: (GPSDWatch) -> Bool, _ write: (inout [UInt8]) -> Void) -> [Effect] {
      let numbers = clients.filter { $0.value.watch.isEnabled && isWanted($0.value.watch) }.keys.sorted()
      guard !numbers.isEmpty else { return [] }
      var bytes: [UInt8] = []
      write(&bytes)
      return bytes.isEmpty ? [] : [.send(bytes, to: numbers)]
    }
    return effect(\.isJSON, json) + effect(\.isNMEA, nmea)
  }

  private func send(_ number: Int, _ write: (inout [UInt8]) -> Void) -> Effect {
    var bytes: [UInt8] = []
    write(&bytes)
    return .send(bytes, to: [number])
  }
}
