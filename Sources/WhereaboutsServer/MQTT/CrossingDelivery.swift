#if MQTT
  import Whereabouts
  import WhereaboutsEngine
  import WhereaboutsModel
  import WhereaboutsStore

  /// The delivery of crossings to a broker: at least once, in order for each device, always under the same id.
  ///
  /// The store is the queue. The broker's acknowledgement moves the store's cursor. A broker acknowledges messages that
  /// are only in its memory. So each delivery is followed by a retained number. A broker that lost its memory has an
  /// older number or none, and receives the crossings after that number again.
  struct CrossingDelivery: Sendable {
    /// The number of records that are under way at the same time.
    private static let pageSize = 20
    /// The number of newest records that are searched for a repetition.
    private static let longestRepetition = 1000

    let core: ServerCore
    let settings: MQTTSettings
    let connection: BrokerConnection
    /// The position of the last record from before the settings: nothing up to it is published.
    let start: UInt64
    /// The number of the last delivered record of each device, as of this connection.
    private var delivered: [DeviceID: UInt64] = [:]
    /// The retained messages of each device that the broker has, as of this connection.
    private var retained: [DeviceID: Set<BrokerMessage>] = [:]
    private let topics: MQTTTopics
    private let ownTracks: OwnTracksTopics

    init(core: ServerCore, settings: MQTTSettings, connection: BrokerConnection, start: UInt64) {
      self.core = core
      self.settings = settings
      self.connection = connection
      self.start = start
      topics = MQTTTopics(settings)
      ownTracks = OwnTracksTopics(settings)
    }

    /// Delivers the records of a device that the broker does not have.
    ///
    /// - Parameter remembered: the number that the broker remembered at the beginning of the connection.
    mutating func deliver(_ device: DeviceID, remembered: UInt64?) async throws {
      if delivered[device] == nil { delivered[device] = try await firstNumber(device, remembered) }
      let first = delivered[device]
      while let number = delivered[device] {
        let page = try core.store.fenceRecords(afterNumber: number, of: device, limit: Self.pageSize)
        guard let last = page.last else { break }
        try await publish(page, of: device)
        // Meanwhile the device may have been erased. Its cursor would add it again, and would hide its new crossings.
        guard try core.store.acknowledge(last, by: MQTTSettings.consumer, of: device) else { return }
        delivered[device] = last.number
      }
      guard let last = delivered[device], last != first else { return }
      try await publishRetained(of: device, upTo: last, isRepeated: false)
    }

    /// Publishes a retained number, so that the broker is known to remember, and the last crossing.
    ///
    /// - Parameter isRepeated: whether a message is published even if the broker has it.
    mutating func publishRetained(of device: DeviceID, isRepeated: Bool) async throws {
      try await publishRetained(of: device, upTo: delivered[device] ?? 0, isRepeated: isRepeated)
    }

    private mutating func publishRetained(
      of device: DeviceID, upTo number: UInt64, isRepeated: Bool
    ) async throws {
      let disclosed = try await self.disclosed(of: device, upTo: number)
      // Without a content the broker forgets a crossing that did not happen, or that is withheld.
      let last = disclosed.lastCrossing?.payload ?? []
      let messages = [
        BrokerMessage(topics.lastCrossing(of: TopicName(device)), last, isRetained: true),
        numberMessage(disclosed.number, of: device),
      ]
      let known: Set<BrokerMessage> = isRepeated ? [] : retained[device] ?? []
      try await send(messages.filter { !known.contains($0) })
      retained[device] = Set(messages)
    }

    private func numberMessage(_ number: UInt64, of device: DeviceID) -> BrokerMessage {
      BrokerMessage(topics.number(of: TopicName(device)), text: "\(number)", isRetained: true)
    }

    /// Forgets a device of which data were erased: if all of them were, its numbers begin again.
    ///
    /// - Returns: the number of its last delivered record.
    mutating func forget(_ device: DeviceID) -> UInt64? {
      retained[device] = nil
      return delivered.removeValue(forKey: device)
    }

    // MARK: The beginning

    /// Returns the number after which records are published in this connection.
    private func firstNumber(_ device: DeviceID, _ remembered: UInt64?) async throws -> UInt64 {
      let oldest = try core.store.lastRecord(of: device, upToPosition: start)
      let known = try await core.store.cursor(of: MQTTSettings.consumer, device: device)
      let cursor = max(oldest, known)
      if let remembered, try await remembered >= disclosed(of: device, upTo: cursor).number { return cursor }
      let newest = try core.store.fenceRecords(newest: Self.longestRepetition, of: device)
      return RepetitionStart(cursor: cursor, remembered: remembered, oldest: oldest)
        .number(in: newest, since: UTCTime.now.advanced(by: .zero - settings.repetition))
    }

    // MARK: Publishing

    private mutating func publish(_ page: [NumberedFenceRecord], of device: DeviceID) async throws {
      let disclosure = ChannelDisclosure(settings, zones: core.zones.zones)
      let fences = core.fences.snapshot.registry, name = TopicName(device)
      var messages: [BrokerMessage] = [], number: BrokerMessage?
      for record in page {
        guard let crossing = try payload(of: record, device, disclosure, fences) else { continue }
        messages.append(BrokerMessage(topics.crossing(of: name), crossing.payload, isRetained: false))
        messages += ownTracks.messages(crossing, of: device)
        number = numberMessage(record.number, of: device)
      }
      // Behind the crossings: a broker that knows the number has had them.
      if let number {
        messages.append(number)
        retained[device, default: []].insert(number)
      }
      try await send(messages)
    }

    private func send(_ messages: [BrokerMessage]) async throws {
      var numbers: [Int32] = []
      for message in messages { numbers.append(try connection.publish(message)) }
      for number in numbers { try await connection.acknowledgement(of: number) }
    }

    /// The records of a device that the broker may have.
    private struct Disclosed {
      /// The number of the last one that is not withheld; 0 for none.
      var number: UInt64 = 0
      /// The last crossing that stands.
      var lastCrossing: CrossingPayload?
    }

    /// Returns what the broker may have of the records of a device up to a number. A number of a withheld crossing would
    /// show when the crossing happened.
    private func disclosed(of device: DeviceID, upTo number: UInt64) async throws -> Disclosed {
      // Mostly one of the newest stands.
      let few = try await disclosed(of: device, upTo: number, among: Self.pageSize)
      guard few.lastCrossing == nil else { return few }
      return try await disclosed(of: device, upTo: number, among: Self.longestRepetition)
    }

    private func disclosed(
      of device: DeviceID, upTo number: UInt64, among limit: Int
    ) async throws -> Disclosed {
      let disclosure = ChannelDisclosure(settings, zones: core.zones.zones)
      let fences = core.fences.snapshot.registry
      let records = try core.store.fenceRecords(newest: limit, of: device).filter { $0.number <= number }
      var disclosed = Disclosed()
      for record in Self.standing(records) where disclosed.lastCrossing == nil {
        disclosed.lastCrossing = disclosure.crossing(record.record, of: device) { fences.fence($0) }
      }
      let last = try records.last { try payload(of: $0, device, disclosure, fences) != nil }
      disclosed.number = last?.number ?? 0
      return disclosed
    }

    /// Returns a record in the form for the broker; `nil` if it is withheld.
    private func payload(
      of record: NumberedFenceRecord, _ device: DeviceID, _ disclosure: ChannelDisclosure,
      _ fences: FenceRegistry
    ) throws -> CrossingPayload? {
      let revoked = try core.store.event(revokedBy: record, of: device)
      return disclosure.crossing(record.record, of: device, revoked: revoked) { fences.fence($0) }
    }

    /// Returns the records of crossings that were not revoked, the newest first.
    static func standing(_ records: [NumberedFenceRecord]) -> [NumberedFenceRecord] {
      var revoked: Set<FenceEvent.ID> = []
      return records.reversed().filter { record in
        switch record.record {
        case .event(let event): return !revoked.contains(event.id)
        case .revised(let id, nil):
          revoked.insert(id)
          return false
        case .revised(let id, _): return !revoked.contains(id)
        case .decided, .removed: return false
        }
      }
    }
  }
#endif
