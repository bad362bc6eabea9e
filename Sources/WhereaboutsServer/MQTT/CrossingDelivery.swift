#if MQTT
  import Whereabouts
  import WhereaboutsEngine
  import WhereaboutsModel
  import WhereaboutsStore

  /// The delivery of crossings to a broker: at least once, in order for each device, always under the same id.
  ///
  /// The store is the queue. The broker's acknowledgement moves the store's cursor. Since a broker acknowledges what it holds
  /// in memory, each delivery is followed by a retained number: a broker that lost its memory has an older number or
  /// none, and gets the crossings after that number again.
  struct CrossingDelivery: Sendable {
    /// The number of records that are under way at the same time.
    private static let pageSize = 20
    /// The number of newest records that are looked through for a repetition.
    private static let longestRepetition = 1000

    let core: ServerCore
    let settings: MQTTSettings
    let connection: BrokerConnection
    /// The position of the last record from before the settings: nothing up to it is published.
    let start: UInt64
    /// The number of the last delivered record of each device, as of this connection.
    private var delivered: [DeviceID: UInt64] = [:]
    private let topics: MQTTTopics

    init(core: ServerCore, settings: MQTTSettings, connection: BrokerConnection, start: UInt64) {
      self.core = core
      self.settings = settings
      self.connection = connection
      self.start = start
      topics = MQTTTopics(settings)
    }

    /// Delivers the records of a device that the broker does not have.
    ///
    /// - Parameter remembered: the number that the broker remembered at the beginning of the connection.
    mutating func deliver(_ device: DeviceID, remembered: UInt64?) async throws {
      if delivered[device] == nil { delivered[device] = try await firstNumber(device, remembered) }
      while true {
        let page = try core.store.fenceRecords(
          afterNumber: delivered[device] ?? 0, of: device, limit: Self.pageSize)
        guard let last = page.last else { return }
        try await publish(page, of: device)
        try await core.store.acknowledge(through: last.number, by: MQTTSettings.consumer, device: device)
        delivered[device] = last.number
      }
    }

    /// Publishes a retained number, so that the broker is known to remember, and the last crossing.
    func publishNumber(of device: DeviceID) async throws {
      let name = TopicName(device)
      if let last = try await lastCrossing(of: device) {
        try await send([BrokerMessage(topics.lastCrossing(of: name), last.payload, isRetained: true)])
      }
      try await send([
        BrokerMessage(topics.number(of: name), text: "\(delivered[device] ?? 0)", isRetained: true)
      ])
    }

    // MARK: The beginning

    /// Returns the number after which records are published in this connection.
    private func firstNumber(_ device: DeviceID, _ remembered: UInt64?) async throws -> UInt64 {
      let oldest = try core.store.lastRecord(of: device, upToPosition: start)
      let known = try await core.store.cursor(of: MQTTSettings.consumer, device: device)
      let cursor = max(oldest, known)
      if let remembered, remembered >= cursor { return cursor }
      let newest = try core.store.fenceRecords(newest: Self.longestRepetition, of: device)
      return RepetitionStart(cursor: cursor, remembered: remembered, oldest: oldest)
        .number(in: newest, since: UTCTime.now.advanced(by: .zero - settings.repetition))
    }

    // MARK: Publishing

    private func publish(_ page: [NumberedFenceRecord], of device: DeviceID) async throws {
      let disclosure = ChannelDisclosure(settings, zones: core.zones.zones)
      let fences = await core.fences.snapshot.registry, name = TopicName(device)
      let crossings = try page.compactMap { record in
        disclosure.crossing(record.record, of: device, revoked: try revoked(by: record, of: device)) {
          fences.fence($0)
        }
      }
      var messages = crossings.map { crossing in
        BrokerMessage(topics.crossing(of: name), crossing.payload, isRetained: false)
      }
      if let last = crossings.last(where: { $0.event != nil }) {
        messages.append(BrokerMessage(topics.lastCrossing(of: name), last.payload, isRetained: true))
      }
      // Behind the crossings: a broker that knows the number has had them.
      if let last = page.last {
        messages.append(BrokerMessage(topics.number(of: name), text: "\(last.number)", isRetained: true))
      }
      try await send(messages)
    }

    /// Returns the crossing that a record revokes; `nil` for another record.
    private func revoked(by record: NumberedFenceRecord, of device: DeviceID) throws -> FenceEvent? {
      guard case .revised(let id, nil) = record.record else { return nil }
      return try core.store.fenceEvent(id, beforeNumber: record.number, of: device)
    }

    private func send(_ messages: [BrokerMessage]) async throws {
      var numbers: [Int32] = []
      for message in messages { numbers.append(try connection.publish(message)) }
      for number in numbers { try await connection.acknowledgement(of: number) }
    }

    private func lastCrossing(of device: DeviceID) async throws -> CrossingPayload? {
      let disclosure = ChannelDisclosure(settings, zones: core.zones.zones)
      let fences = await core.fences.snapshot.registry
      let number = delivered[device] ?? 0
      for record in try core.store.fenceRecords(newest: Self.longestRepetition, of: device).reversed()
      where record.number <= number {
        let crossing = disclosure.crossing(record.record, of: device) { fences.fence($0) }
        if let crossing, crossing.event != nil { return crossing }
      }
      return nil
    }
  }
#endif
