#if MQTT
  import Logging
  import Whereabouts
  import WhereaboutsEngine
  import WhereaboutsModel
  import WhereaboutsStore

  /// The work of a server during one connection to a broker.
  ///
  /// The broker's memory is asked first: retained numbers, then an echo of the server's own, behind which no number is
  /// missing. Then the devices are described, and every change is published.
  actor MQTTSession {
    /// The time within which the broker should return the server's own message.
    private static let echoLimit = Duration.seconds(10)

    private let core: ServerCore
    private let settings: MQTTSettings
    private let topics: MQTTTopics
    private let connection: BrokerConnection
    private let subscription: StreamHub.Subscription
    private let phones: OwnTracksPhones
    private let receiver: OwnTracksReceiver
    private let ownTracks: OwnTracksTopics
    private var crossings: CrossingDelivery
    /// A text that only this connection knows.
    private let token = String(UInt64.random(in: .min ... .max), radix: 16)

    /// The numbers that the broker remembers, by the devices' levels of topics.
    private var remembered: [String: UInt64] = [:]
    /// The topics of OwnTracks that the broker remembers, by the devices' levels of topics.
    private var rememberedTopics: [String: String] = [:]
    /// Whether ``remembered`` is complete.
    private var hasMemory = false
    /// Whether every device is to be described.
    private var needsDescriptions = true
    private var described: Set<DeviceID> = []
    /// The number of changes of the privacy zones by which the retained messages were published last; `nil` before the
    /// first description. Zones that were added and removed since have withheld what came meanwhile.
    private var publishedZones: UInt64?
    /// The revision of the fences by which the retained messages were published last.
    private var publishedFences: UInt64 = 0
    /// Whether the fences have changed since.
    private var hasNewFences = false
    /// The states that the broker has.
    private var states: [DeviceID: StatePayload] = [:]
    private var unsent = StreamHub.Subscription.Unsent()

    init(
      core: ServerCore, settings: MQTTSettings, connection: BrokerConnection,
      subscription: StreamHub.Subscription, start: UInt64
    ) {
      self.core = core
      self.settings = settings
      self.connection = connection
      self.subscription = subscription
      topics = MQTTTopics(settings)
      phones = OwnTracksPhones(all: settings.ownTracks)
      receiver = OwnTracksReceiver(core: core)
      ownTracks = OwnTracksTopics(settings)
      crossings = CrossingDelivery(core: core, settings: settings, connection: connection, start: start)
    }

    /// Works until the connection or the server ends.
    func run() async throws {
      try connection.subscribe(
        [topics.everyNumber, topics.everyOwnTracks, topics.echo] + [topics.birth].compactMap(\.self))
      try connection.subscribe(phones.topics)
      _ = try connection.publish(BrokerMessage(topics.echo, text: token, isRetained: false))
      try await withThrowingTaskGroup(of: Void.self) { group in
        group.addTask { try await self.receive() }
        group.addTask { try await self.publishUnsent() }
        group.addTask { try await self.followChanges() }
        // The first to end ends the others.
        defer {
          connection.close()
          group.cancelAll()
        }
        try await group.next()
      }
    }

    // MARK: Receiving

    private func receive() async throws {
      for await delivery in connection.deliveries {
        await process(delivery)
      }
      throw connection.failure
    }

    private func process(_ delivery: BrokerDelivery) async {
      if let phone = phones.phone(of: delivery.topic) { return await process(delivery, of: phone) }
      defer { delivery.settle(true) }
      let text = String(decoding: delivery.payload, as: UTF8.self)
      if let device = topics.deviceOfNumber(delivery.topic) {
        if !hasMemory { remembered[device] = UInt64(text) ?? 0 }
      } else if let device = topics.deviceOfOwnTracks(delivery.topic) {
        if !hasMemory, !text.isEmpty { rememberedTopics[device] = text }
      } else if delivery.topic == topics.echo {
        guard text == token else { return }
        hasMemory = true
        subscription.wake()
      } else if delivery.topic == topics.birth, text == "online" {
        needsDescriptions = true
        subscription.wake()
      }
    }

    private func process(_ delivery: BrokerDelivery, of phone: OwnTracksPhone) async {
      do throws(IngestionError) {
        let command = try await receiver.store(delivery, of: phone)
        // A connection that has ended is noticed by the other task. Its message comes again, and so does the command.
        if let command { _ = try? connection.publish(command) }
        delivery.settle(true)
      } catch {
        delivery.settle(false)
      }
    }

    // MARK: Publishing

    /// Publishes the retained messages again when the privacy zones or the fences have changed: the broker would keep a
    /// place that is private now, and a fence that is gone. Also reports a broker that does not return the server's own
    /// message.
    private func followChanges() async throws {
      let echoDeadline = ContinuousClock.now + Self.echoLimit
      // Without devices nothing is published.
      var isReported = settings.devices == .some([])
      while true {
        try await Task.sleep(for: RegistryRefresher.interval)
        if !hasMemory, !isReported, ContinuousClock.now >= echoDeadline {
          isReported = true
          reportMissingEcho()
        }
        guard let publishedZones else { continue }
        if publishedZones != core.zones.changes {
          needsDescriptions = true
          subscription.wake()
        } else if core.fences.snapshot.revision != publishedFences {
          hasNewFences = true
          subscription.wake()
        }
      }
    }

    /// A broker drops messages that its access list forbids, and acknowledges them all the same.
    private func reportMissingEcho() {
      core.logger.warning(
        "MQTT broker withholds messages; nothing is published",
        metadata: [
          "broker": "\(settings.broker)",
          "reason": "its access list must let the server read and write \(settings.prefix)/#",
        ])
    }

    private func publishUnsent() async throws {
      for await _ in subscription.wakes {
        let latest = subscription.drain()
        // A fix of now arrived after the erasure.
        for device in latest.erased { unsent.fixes[device] = nil }
        unsent.erased.formUnion(latest.erased)
        unsent.fixes.merge(latest.fixes) { $1 }
        unsent.hasCrossings = unsent.hasCrossings || latest.hasCrossings
        unsent.batteries.formUnion(latest.batteries)
        guard hasMemory else { continue }
        if !unsent.erased.isEmpty { try await publishErasures() }
        if needsDescriptions { try await describeAll() }
        if hasNewFences { try await publishFenceChanges() }
        if unsent.hasCrossings {
          unsent.hasCrossings = false
          for device in try devices { try await deliverCrossings(of: device) }
        }
        let moved = unsent.fixes.keys.sorted()
        unsent.fixes = [:]
        for device in moved where settings.publishes(device) {
          if !described.contains(device) { try await describe(device) }
          // The fix that waited may be older than the published one, as after a new connection.
          try await publishState(of: device, try await core.lastFix(of: device))
        }
        try await publishBatteries()
      }
    }

    /// Publishes the states with new battery levels. A phone at rest may send no fix for hours.
    private func publishBatteries() async throws {
      let devices = unsent.batteries
      unsent.batteries = []
      for device in devices.sorted() where described.contains(device) {
        try await publishState(of: device, try await core.lastFix(of: device))
      }
    }

    /// The devices of the store that are published.
    private var devices: [DeviceID] {
      get throws { try core.storedDevices().filter { settings.publishes($0) } }
    }

    private func describeAll() async throws {
      needsDescriptions = false
      // Before the first message: a change meanwhile is noticed.
      publishedZones = core.zones.changes
      publishedFences = core.fences.snapshot.revision
      try await send(BrokerMessage(topics.status, text: "online", isRetained: true))
      let devices = try devices
      try await removeOthers(than: devices)
      try await removeTopics(of: devices)
      for device in devices {
        try await describe(device)
        try await publishState(of: device, try await core.lastFix(of: device), isRepeated: true)
      }
    }

    /// Publishes what a change of the fences concerns. A phone at rest may send no fix for hours.
    private func publishFenceChanges() async throws {
      hasNewFences = false
      publishedFences = core.fences.snapshot.revision
      for device in try devices where described.contains(device) {
        try await publishState(of: device, try await core.lastFix(of: device), in: await fencesAtRest(device))
        try await publishRetained(of: device, isRepeated: false)
      }
    }

    /// Publishes again what the broker retains of devices of which data were erased, and removes those that are gone.
    private func publishErasures() async throws {
      let erased = unsent.erased
      unsent.erased = []
      for device in erased where described.remove(device) != nil {
        let name = TopicName(device).text
        states[device] = nil
        remembered[name] = crossings.forget(device) ?? 0
        rememberedTopics[name] = ownTracks.topic(of: device)
      }
      let devices = try devices
      try await removeOthers(than: devices)
      try await removeTopics(of: devices)
      for device in devices where erased.contains(device) {
        try await describe(device)
        try await publishState(of: device, try await core.lastFix(of: device), isRepeated: true)
      }
    }

    /// Removes devices from the broker that are published no more, or that were forgotten.
    private func removeOthers(than devices: [DeviceID]) async throws {
      let known = Set(devices.map { TopicName($0).text })
      for name in remembered.keys.sorted() where !known.contains(name) {
        let name = TopicName(name)
        let retained =
          [topics.state(of: name), topics.lastCrossing(of: name), topics.number(of: name)]
          + [topics.discovery(of: name)].compactMap(\.self)
        for topic in retained { try await send(BrokerMessage(topic, [], isRetained: true)) }
        remembered[name.text] = nil
      }
    }

    /// Removes the broker's retained messages of devices under former OwnTracks topics.
    private func removeTopics(of devices: [DeviceID]) async throws {
      let present = Dictionary(
        devices.compactMap { device in ownTracks.topic(of: device).map { (TopicName(device).text, $0) } },
        uniquingKeysWith: { first, _ in first })
      for (name, topic) in rememberedTopics.sorted(by: { $0.key < $1.key }) where present[name] != topic {
        for message in ownTracks.removal(of: topic, keeping: present.values) { try await send(message) }
        try await send(BrokerMessage(topics.ownTracks(of: TopicName(name)), [], isRetained: true))
        rememberedTopics[name] = nil
      }
    }

    private func describe(_ device: DeviceID) async throws {
      let name = TopicName(device)
      if let topic = ownTracks.topic(of: device) {
        // Before the first position, so that the broker never has a position with a forgotten topic.
        try await send(BrokerMessage(topics.ownTracks(of: name), text: topic, isRetained: true))
        for message in ownTracks.description(of: device) { try await send(message) }
      }
      if let topic = topics.discovery(of: name) {
        let discovery = DeviceDiscovery(
          topics: topics, device: name, name: device.rawValue, sharesPlaces: settings.places != .zones)
        try await send(BrokerMessage(topic, discovery.payload, isRetained: true))
      }
      described.insert(device)
      try await deliverCrossings(of: device)
      try await publishRetained(of: device, isRepeated: true)
    }

    private func deliverCrossings(of device: DeviceID) async throws {
      // A device is described before its first crossing, so that Home Assistant listens.
      guard described.contains(device) else { return try await describe(device) }
      var delivery = crossings
      try await delivery.deliver(device, remembered: remembered[TopicName(device).text])
      crossings = delivery
    }

    private func publishRetained(of device: DeviceID, isRepeated: Bool) async throws {
      var delivery = crossings
      try await delivery.publishRetained(of: device, isRepeated: isRepeated)
      crossings = delivery
    }

    /// - Parameters:
    ///   - known: the fences that the device is in; `nil` for those by its engine.
    ///   - isRepeated: whether the state is published even if the broker has it.
    private func publishState(
      of device: DeviceID, _ fix: Fix?, in known: [Fence]? = nil, isRepeated: Bool = false
    ) async throws {
      let inside: [Fence]
      if let known {
        inside = known
      } else {
        // Each connection asks for the states of all devices, which must not all stay loaded.
        inside = await core.devices.withSession(of: device) { await self.fencesAround($0) }
      }
      let fences = core.fences.snapshot.registry
      let state = ChannelDisclosure(settings, zones: core.zones.zones)
        .state(of: device, fix: fix, inside: inside, battery: core.batteries[device]) {
          fences.nearest(1, to: $0).first?.fence
        }
      guard isRepeated || states[device] != state else { return }
      try await send(BrokerMessage(topics.state(of: TopicName(device)), state.payload, isRetained: true))
      for message in ownTracks.messages(state, of: device) { try await send(message) }
      states[device] = state
    }

    /// Returns the fences that a device is in. The side of a fence whose area has changed is unknown until the next fix.
    /// Until then, the device stays in it: it would have left its home whenever somebody changes the radius. While the
    /// permission is refused, no side is known.
    private func fencesAround(_ session: DeviceSession) async -> [Fence] {
      await session.applyFences()
      var inside = await session.manager.fences.inside
      guard await !session.manager.status.authorization.isRefused else { return inside }
      for published in states[session.device]?.fences ?? [] {
        guard await session.manager.fences.state(of: published.id)?.side == .unknown,
          let changed = await core.fences.fence(published.id)
        else { continue }
        inside.append(changed)
      }
      return inside.sorted { $0.id < $1.id }
    }

    /// Returns the fences that a device at rest is in after a change of the fences; `nil` if its engine is loaded, or if
    /// its state is not known. Until its next fix, a device stays in the fences that it is in and is in no others, so
    /// that its engine need not be loaded.
    private func fencesAtRest(_ device: DeviceID) async -> [Fence]? {
      guard let state = states[device], await core.devices.loadedSession(of: device) == nil else {
        return nil
      }
      let fences = core.fences.snapshot.registry
      return state.fences.compactMap { fences.fence($0.id) }
    }

    private func send(_ message: BrokerMessage) async throws {
      try await connection.acknowledgement(of: try connection.publish(message))
    }
  }
#endif
