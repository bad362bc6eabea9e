#if MQTT
  import Logging
  import ServiceLifecycle
  import Whereabouts
  import WhereaboutsStore

  /// The connection to an MQTT broker, made again whenever it is lost.
  struct MQTTService: Service {
    /// The age of a connection that counts as one that worked.
    private static let workingAge = Duration.seconds(5)

    let core: ServerCore
    let settings: MQTTSettings

    func run() async throws {
      await cancelWhenGracefulShutdown { await keepConnected() }
    }

    private func keepConnected() async {
      var delay = ReconnectDelay(), random = SystemRandomNumberGenerator()
      var reported: BrokerError?
      while !Task.isCancelled {
        let began = ContinuousClock.now
        let failure = await connectOnce()
        guard !Task.isCancelled else { return }
        if ContinuousClock.now - began > Self.workingAge { delay.reset() }
        // A broker that is away for hours is one line, not one for each attempt.
        if failure != reported {
          core.logger.warning(
            "MQTT broker not connected; trying again",
            metadata: ["broker": "\(settings.broker)", "reason": "\(failure)"])
        }
        reported = failure
        try? await Task.sleep(for: delay.next(using: &random))
      }
    }

    /// Connects, and works until the connection ends.
    ///
    /// - Returns: the reason of the end.
    private func connectOnce() async -> BrokerError {
      let connection = BrokerConnection(settings)
      var opened: ContinuousClock.Instant?
      defer { connection.close() }
      guard let subscription = core.hub.follow() else {
        return BrokerError("the server ends")
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
        return Self.reason(connection.failure, opened: opened)
      } catch let error as BrokerError {
        return Self.reason(error, opened: opened)
      } catch let error as StoreError {
        return BrokerError("the store does not work: \(error.code)")
      } catch {
        return BrokerError("cancelled")
      }
    }

    /// Returns the reason of an end. A broker cuts a connection when another one has the same id.
    ///
    /// - Parameter opened: the time at which the broker accepted the connection; `nil` if it did not.
    private static func reason(_ error: BrokerError, opened: ContinuousClock.Instant?) -> BrokerError {
      guard let opened, ContinuousClock.now - opened < workingAge else { return error }
      return BrokerError(
        """
        the connection ended soon after it began (\(error)): does another server at this broker have the same \
        MQTT_PREFIX?
        """)
    }
  }
#endif
