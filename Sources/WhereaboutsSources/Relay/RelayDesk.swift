import Whereabouts
import WhereaboutsCore
import WhereaboutsFormats

/// All that is decided about a relay's clients: what each is sent, and whether the receiver must be on.
///
/// A value without a clock or a socket: events in, effects out in their order.
struct RelayDesk {
  /// What a client speaks.
  enum Dialect: Hashable, Sendable {
    case gpsd
    case nmea
  }

  enum Event {
    case joined(Int, Dialect)
    case left(Int)
    case asked(Int, GPSDRequest)
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

  /// How old a fix may be that `?POLL;` is answered with.
  private static let oldestPoll = Duration.seconds(10)

  /// What is asked of the source while somebody watches: all it has.
  private let wanted = Demand.continuous(ContinuousDemand(accuracy: 0))
  private let revision: String
  private let gpsd: GPSDEncoder
  private var nmea = NMEAEncoder()
  private var clients: [Int: Client] = [:]
  private var demand = Demand.off
  private var activated: UTCTime?
  private var lastFix: (fix: Fix, at: UTCTime)?
  private var lastSky: SatellitesInView?
  /// What is known of how the source does.
  private(set) var status = RelayStatus()

  init(device: String, revision: String) {
    self.revision = revision
    gpsd = GPSDEncoder(device: device, driver: "Whereabouts")
  }

  /// Takes one event.
  ///
  /// - Parameter now: the wall clock.
  mutating func handle(_ event: Event, at now: UTCTime) -> [Effect] {
    switch event {
    case .joined(let number, let dialect):
      clients[number] = Client(
        dialect: dialect,
        watch: GPSDWatch(isEnabled: dialect == .nmea, isJSON: false, isNMEA: dialect == .nmea))
      let greeting =
        dialect == .gpsd ? [send(number) { gpsd.appendVersion(revision: revision, to: &$0) }] : []
      return greeting + updateDemand(at: now)
    case .left(let number):
      clients[number] = nil
      return updateDemand(at: now)
    case .asked(let number, let request):
      guard clients[number]?.dialect == .gpsd else { return [] }
      return answer(request, number, at: now)
    case .signal(let signal): return take(signal, at: now)
    }
  }

  // MARK: - Requests

  private mutating func answer(_ request: GPSDRequest, _ number: Int, at now: UTCTime) -> [Effect] {
    switch request {
    case .version: return [send(number) { gpsd.appendVersion(revision: revision, to: &$0) }]
    case .devices: return [send(number) { gpsd.appendDevices(activated: activated, to: &$0) }]
    case .device: return [send(number) { gpsd.appendDevice(activated: activated, to: &$0) }]
    case .watch:
      guard let watch = clients[number]?.watch else { return [] }
      return [send(number) { gpsd.appendWatch(watch, to: &$0) }]
    case .setWatch(let isEnabled, let isJSON, let isNMEA, let device):
      return setWatch(number, isEnabled, isJSON, isNMEA, device, at: now)
    case .poll:
      let isFresh = lastFix.map { now.since($0.at) <= Self.oldestPoll } ?? false
      return [
        send(number) {
          gpsd.appendPoll(
            at: now, isFresh ? lastFix?.fix : nil, isFresh ? lastSky : nil, isActive: activated != nil,
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
        gpsd.appendDevices(activated: activated, to: &$0)
        gpsd.appendWatch(watch, to: &$0)
        // Who comes later has not heard why there is nothing.
        if watch.isEnabled, watch.isJSON, let trouble = status.trouble { append(trouble, to: &$0) }
      }
    ]
  }

  // MARK: - Demand

  private mutating func updateDemand(at now: UTCTime) -> [Effect] {
    let needed = clients.values.contains { $0.watch.isEnabled } ? wanted : .off
    status.gpsdClients = clients.values.count { $0.dialect == .gpsd }
    status.nmeaClients = clients.values.count { $0.dialect == .nmea }
    status.isReceiverOn = needed != .off
    guard needed != demand else { return [] }
    demand = needed
    activated = needed == .off ? nil : now
    if needed == .off { status.trouble = nil }
    return [.demand(needed)]
  }

  // MARK: - Signals

  private mutating func take(_ signal: SourceSignal, at now: UTCTime) -> [Effect] {
    switch signal {
    case .fix(let fix, _):
      lastFix = (fix, now)
      status.fixes += 1
      status.lastFix = now
      status.trouble = nil
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
    case .unavailable(let trouble), .failed(let trouble):
      return take(trouble)
    case .authorization(let authorization) where authorization.isRefused:
      let trouble = SourceTrouble(
        .notPermitted, message: "use its source: permission denied", remedy: authorization.remedy)
      return take(trouble)
    case .authorization, .headingsUnavailable, .segmentBegan, .sources, .ended:
      return []
    }
  }

  private mutating func take(_ trouble: SourceTrouble) -> [Effect] {
    status.trouble = trouble
    return broadcast {
      append(trouble, to: &$0)
    } nmea: {
      nmea.appendNoPosition(to: &$0)
    }
  }

  /// There is no position, and why.
  private func append(_ trouble: SourceTrouble, to bytes: inout [UInt8]) {
    gpsd.appendNoPosition(to: &bytes)
    // That alone says that the receiver has no fix.
    guard trouble.code != .noPosition else { return }
    gpsd.appendFailure(RelayIdentity.troublePrefix + trouble.message, to: &bytes)
  }

  /// The same for everybody who watches, each in what he speaks.
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
