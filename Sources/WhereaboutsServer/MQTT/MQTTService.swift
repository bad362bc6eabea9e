#if MQTT
  import Logging
  import ServiceLifecycle
  import Whereabouts
  import WhereaboutsStore

  /// The connection to an MQTT broker, made again whenever it is lost.
  struct MQTTService: Service {
    /// The age of a connection that counts as one that worked.
    private static let workingAge = Duration.seconds(5)

    /// The end of a connection or of an attempt.
    private struct ConnectionEnd {
      var reason: BrokerError
      /// Whether the connection worked for a time.
      var hasWorked = false
    }

    let core: ServerCore
    let settings: MQTTSettings

    func run() async throws {
      await cancelWhenGracefulShutdown { await keepConnected() }
    }

    private func keepConnected() async {
      var backoff = BrokerBackoff(), random = SystemRandomNumberGenerator()
      var reported: BrokerError?
      while !Task.isCancelled {
        let end = await connectOnce()
        guard !Task.isCancelled else { return }
        if end.hasWorked {
          backoff.reset()
          reported = nil
        }
        // A broker that is away for hours is one line, not one for each attempt.
        if end.reason != reported {
          core.logger.warning(
            "MQTT broker not connected; trying again",
            metadata: ["broker": "\(settings.broker)", "reason": "\(end.reason)"])
        }
        reported = end.reason
        try? await Task.sleep(for: backoff.next(using: &random))
      }
    }

    /// Connects, and works until the connection ends.
    private func connectOnce() async -> ConnectionEnd {
      let connection = BrokerConnection(settings)
      var opened: ContinuousClock.Instant?
      defer { connection.close() }
      guard let subscription = core.hub.follow() else {
        return ConnectionEnd(reason: BrokerError("the server ends"))
      }
      defer { core.hub.unsubscribe(subscription) }
      do {
        let start = try core.store.deliveryStart(settings.selectionKey)
        try await connection.open()
        opened = .now
        core.logger.notice("MQTT broker connected", metadata: ["broker": "\(settings.broker)"])
        let session = MQTTSession(
          core: core, settings: settings, connection: connection, subscription: subscription, start: start)
        try await session.run()
        return Self.end(connection.failure, opened: opened)
      } catch let error as BrokerError {
        return Self.end(error, opened: opened)
      } catch let error as StoreError {
        return ConnectionEnd(reason: BrokerError("the store does not work: \(error.code)"))
      } catch {
        return ConnectionEnd(reason: BrokerError("cancelled"))
      }
    }

    /// Returns the end of a connection. A broker cuts a connection when another one has the same id.
    ///
    /// - Parameter opened: the time at which the broker accepted the connection; `nil` if it did not.
    private static func end(_ error: BrokerError, opened: ContinuousClock.Instant?) -> ConnectionEnd {
      guard let opened else { return ConnectionEnd(reason: error) }
      guard ContinuousClock.now - opened < workingAge else {
        return ConnectionEnd(reason: error, hasWorked: true)
      }
      return ConnectionEnd(
        reason: BrokerError(
          """
          the connection ended soon after it began (\(error)): does another server at this broker have the same \
          MQTT_PREFIX?
          """))
    }
  }
#endif
