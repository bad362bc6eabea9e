#if MQTT
  import Testing
  import Whereabouts

  @testable import WhereaboutsServer

  /// A second client of a broker, which sees every message.
  final class BrokerObserver {
    private let connection: BrokerConnection
    private var iterator: AsyncStream<BrokerDelivery>.Iterator
    /// The messages until now.
    private(set) var seen: [BrokerDelivery] = []

    /// Connects, and waits until the broker knows the subscription.
    init(_ broker: MosquittoBroker) async throws {
      var settings = MQTTSettings(broker: try #require(BrokerAddress("mqtt://127.0.0.1:\(broker.port)")))
      settings.prefix = "observer"
      connection = BrokerConnection(settings)
      iterator = connection.deliveries.makeAsyncIterator()
      try await connection.open()
      try connection.subscribe(["#"])
      try publish("ready", to: "observer/ready")
      _ = try await next { $0.topic == "observer/ready" && !$0.isRetained }
    }

    deinit { connection.close() }

    func publish(_ text: String, to topic: String) throws {
      _ = try connection.publish(BrokerMessage(topic, text: text, isRetained: false))
    }

    /// Waits for a message, which may be an earlier one.
    func message(_ topic: String, with text: String = "") async throws -> BrokerDelivery {
      func fits(_ message: BrokerDelivery) -> Bool { message.topic == topic && message.text.contains(text) }
      if let message = seen.first(where: fits) { return message }
      return try await next(fits)
    }

    /// Waits for a message that the broker kept from before the subscription.
    func retainedMessage(_ topic: String) async throws -> BrokerDelivery {
      func fits(_ message: BrokerDelivery) -> Bool { message.topic == topic && message.isRetained }
      if let message = seen.first(where: fits) { return message }
      return try await next(fits)
    }

    /// Waits for a new message.
    func next(_ fits: (BrokerDelivery) -> Bool) async throws -> BrokerDelivery {
      while let message = await iterator.next() {
        message.settle(true)
        seen.append(message)
        if fits(message) { return message }
      }
      return try #require(nil, "the connection ended: \(connection.failure)")
    }
  }

  extension BrokerDelivery {
    var text: String { String(decoding: payload, as: UTF8.self) }
  }
#endif
