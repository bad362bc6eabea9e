#if MQTT
  import CMosquitto
  import Foundation
  import Synchronization
  import WhereaboutsSystem

  /// One connection to a broker, on a thread of its own, which ends with the connection.
  ///
  /// **Threads.** The thread creates the object of libmosquitto, runs its loop and destroys it. Messages are published
  /// from any thread; libmosquitto locks the object for that, since `mosquitto_threaded_set` announces it. The lock of
  /// `state` keeps publishers away from an object that is being destroyed, and from the queue while the thread reads
  /// whether messages wait.
  ///
  /// **Memory.** The callbacks are C functions without captures. They get an unretained pointer to this object, which
  /// the thread itself retains until the object of libmosquitto is destroyed. Payloads are copied in the callback.
  ///
  /// **Order.** One connection is one object: nothing is left over from an earlier connection, so the order of messages
  /// is that of ``publish(_:)``.
  final class BrokerConnection: Sendable {
    /// The object of libmosquitto.
    ///
    /// Unchecked, because a pointer is not known to be usable from any thread. The functions used with it from other
    /// threads are those that libmosquitto locks.
    private struct Handle: @unchecked Sendable {
      let pointer: OpaquePointer
      /// A descriptor of this connection for its socket. libmosquitto may close its own on the connection's thread at
      /// any time, and its number may then be that of another socket of the process.
      let socket: Int32
      /// The ends of a pipe that ends the wait of the connection's thread: for reading, and for writing.
      let wakes: Int32
      let waker: Int32

      /// Makes the thread send what was queued.
      func wake() {
        var byte: UInt8 = 0
        // A full pipe wakes the thread, too.
        _ = write(waker, &byte, 1)
      }
    }

    /// A published message that waits for its acknowledgement.
    private enum Receipt {
      case pending
      case acknowledged
      case awaited(CheckedContinuation<Result<Void, BrokerError>, Never>)
    }

    private struct State {
      var handle: Handle?
      var receipts: [Int32: Receipt] = [:]
      var opening: CheckedContinuation<Result<Void, BrokerError>, Never>?
      /// The reason of the end; `nil` before.
      var end: BrokerError?
    }

    private static let keepAlive: Int32 = 30
    private static let isInitialized = mosquitto_lib_init() == MOSQ_ERR_SUCCESS.rawValue

    /// The messages of the broker, in order; ends with the connection. For one reader, who settles each.
    let deliveries: AsyncStream<BrokerDelivery>
    private let inlet: AsyncStream<BrokerDelivery>.Continuation
    private let settings: MQTTSettings
    private let state = Mutex(State())

    init(_ settings: MQTTSettings) {
      self.settings = settings
      (deliveries, inlet) = AsyncStream.makeStream()
    }

    // MARK: Use

    /// Connects. Call once.
    ///
    /// - Throws: ``BrokerError`` if the broker can't be reached or refuses, or if the task is cancelled.
    func open() async throws(BrokerError) {
      let result = await withTaskCancellationHandler {
        await withCheckedContinuation {
          (continuation: CheckedContinuation<Result<Void, BrokerError>, Never>) in
          state.withLock { $0.opening = continuation }
          guard !Task.isCancelled else { return end(BrokerError("cancelled")) }
          Thread.detachNewThread { self.run() }
        }
      } onCancel: {
        end(BrokerError("cancelled"))
      }
      try result.get()
    }

    /// Hands a message to the connection, behind all earlier ones.
    ///
    /// - Returns: the number to wait for with ``acknowledgement(of:)``.
    func publish(_ message: BrokerMessage) throws(BrokerError) -> Int32 {
      let result: Result<Int32, BrokerError> = state.withLock { state in
        guard let handle = state.handle, state.end == nil else {
          return .failure(state.end ?? BrokerError("not connected"))
        }
        var number: Int32 = 0
        // The lock is held until the number is known, so its acknowledgement can't arrive before.
        let code = mosquitto_publish(
          handle.pointer, &number, message.topic, Int32(message.payload.count), message.payload, 1,
          message.isRetained)
        guard code == MOSQ_ERR_SUCCESS.rawValue else { return .failure(Self.error(code)) }
        state.receipts[number] = .pending
        handle.wake()
        return .success(number)
      }
      return try result.get()
    }

    /// Waits until the broker has acknowledged a message. Wait for each message once.
    func acknowledgement(of number: Int32) async throws(BrokerError) {
      let result = await withTaskCancellationHandler {
        await withCheckedContinuation {
          (continuation: CheckedContinuation<Result<Void, BrokerError>, Never>) in
          let known: Result<Void, BrokerError>? = state.withLock { state in
            if case .acknowledged = state.receipts[number] {
              state.receipts[number] = nil
              return .success(())
            }
            if let end = state.end { return .failure(end) }
            state.receipts[number] = .awaited(continuation)
            return nil
          }
          if let known { continuation.resume(returning: known) }
        }
      } onCancel: {
        end(BrokerError("cancelled"))
      }
      try result.get()
    }

    /// Subscribes to topics.
    func subscribe(_ topics: [String]) throws(BrokerError) {
      let code: Int32 = state.withLock { state in
        guard let handle = state.handle, state.end == nil else { return MOSQ_ERR_NO_CONN.rawValue }
        for topic in topics {
          let code = mosquitto_subscribe(handle.pointer, nil, topic, 1)
          guard code == MOSQ_ERR_SUCCESS.rawValue else { return code }
        }
        handle.wake()
        return MOSQ_ERR_SUCCESS.rawValue
      }
      guard code == MOSQ_ERR_SUCCESS.rawValue else { throw Self.error(code) }
    }

    /// Ends the connection without a farewell, so that the broker publishes the last will.
    func close() { end(BrokerError("closed")) }

    /// The reason of the end.
    var failure: BrokerError { state.withLock { $0.end } ?? BrokerError("the connection ended") }

    /// Records the end, and notifies all waiting tasks. The first reason counts.
    private func end(_ reason: BrokerError) {
      let (opening, receipts) = state.withLock { state in
        state.end = state.end ?? reason
        // The thread sleeps in the loop; a closed socket ends its sleep.
        if let handle = state.handle { _ = shutdown(handle.socket, Int32(SHUT_RDWR)) }
        defer {
          state.opening = nil
          state.receipts = [:]
        }
        return (state.opening, state.receipts.values.map { $0 })
      }
      let failure = failure
      opening?.resume(returning: .failure(failure))
      for case .awaited(let continuation) in receipts { continuation.resume(returning: .failure(failure)) }
      inlet.finish()
    }

    // MARK: The thread

    private func run() {
      guard Self.isInitialized,
        let handle = mosquitto_new(settings.clientID, false, Unmanaged.passUnretained(self).toOpaque())
      else { return end(BrokerError("no memory for a connection")) }
      defer {
        let ended = state.withLock { state in
          defer { state.handle = nil }
          return state.handle
        }
        for descriptor in ended.map({ [$0.socket, $0.waker, $0.wakes] }) ?? [] {
          _ = Foundation.close(descriptor)
        }
        mosquitto_destroy(handle)
      }
      var code = prepare(handle)
      if code == MOSQ_ERR_SUCCESS.rawValue {
        code = mosquitto_connect(handle, settings.broker.host, Int32(settings.broker.port), Self.keepAlive)
      }
      guard code == MOSQ_ERR_SUCCESS.rawValue else { return end(Self.error(code)) }
      let socket = fcntl(mosquitto_socket(handle), F_DUPFD_CLOEXEC, 0)
      guard socket >= 0 else { return end(Self.error(MOSQ_ERR_ERRNO.rawValue)) }
      var ends: [Int32] = [-1, -1]
      guard pipe(&ends) == 0 else {
        _ = Foundation.close(socket)
        return end(Self.error(MOSQ_ERR_ERRNO.rawValue))
      }
      for descriptor in ends {
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
      }
      let box = Handle(pointer: handle, socket: socket, wakes: ends[0], waker: ends[1])
      state.withLock { $0.handle = box }
      while state.withLock({ $0.end == nil }) {
        code = step(handle, wakes: ends[0])
        if code != MOSQ_ERR_SUCCESS.rawValue { end(Self.error(code)) }
      }
    }

    /// Waits for the broker, for a queued message or for a second, and reads and writes.
    ///
    /// `mosquitto_loop` waits by `select`, which knows no descriptor from 1,024 on: a server with as many connections
    /// could not reach its broker again.
    private func step(_ handle: OpaquePointer, wakes: Int32) -> Int32 {
      let isWaiting = wantsWrite(handle)
      var waits = [
        pollfd(
          fd: mosquitto_socket(handle), events: Int16(POLLIN) | (isWaiting ? Int16(POLLOUT) : 0), revents: 0),
        pollfd(fd: wakes, events: Int16(POLLIN), revents: 0),
      ]
      guard poll(&waits, 2, 1000) >= 0 || errno == EINTR else { return MOSQ_ERR_ERRNO.rawValue }
      if waits[1].revents != 0 {
        var bytes = [UInt8](repeating: 0, count: 512)
        _ = read(wakes, &bytes, bytes.count)
      }
      var code = MOSQ_ERR_SUCCESS.rawValue
      if waits[0].revents & ~Int16(POLLOUT) != 0 { code = mosquitto_loop_read(handle, 1) }
      if code == MOSQ_ERR_SUCCESS.rawValue, wantsWrite(handle) {
        code = mosquitto_loop_write(handle, 1)
      }
      return code == MOSQ_ERR_SUCCESS.rawValue ? mosquitto_loop_misc(handle) : code
    }

    /// Returns whether messages wait to be sent.
    ///
    /// `mosquitto_want_write` reads the queue without the lock of libmosquitto, under which publishers change it. They
    /// hold the lock of `state`, too.
    private func wantsWrite(_ handle: OpaquePointer) -> Bool {
      state.withLock { _ in mosquitto_want_write(handle) }
    }

    /// Sets everything that must be set before the connection.
    private func prepare(_ handle: OpaquePointer) -> Int32 {
      mosquitto_threaded_set(handle, true)
      mosquitto_connect_callback_set(handle) { _, object, code in
        BrokerConnection.from(object)?.didConnect(code)
      }
      mosquitto_publish_callback_set(handle) { _, object, number in
        BrokerConnection.from(object)?.didPublish(number)
      }
      mosquitto_message_callback_set(handle) { _, object, message in
        BrokerConnection.from(object)?.didReceive(message)
      }
      let topics = MQTTTopics(settings), will = Array("offline".utf8)
      var codes = [mosquitto_will_set(handle, topics.status, Int32(will.count), will, 1, true)]
      if let user = settings.broker.user {
        codes.append(mosquitto_username_pw_set(handle, user, settings.password))
      }
      if settings.broker.usesTLS {
        codes.append(
          settings.authorities.map { mosquitto_tls_set(handle, $0, nil, nil, nil, nil) }
            ?? mosquitto_int_option(handle, MOSQ_OPT_TLS_USE_OS_CERTS, 1))
      }
      return codes.first { $0 != MOSQ_ERR_SUCCESS.rawValue } ?? MOSQ_ERR_SUCCESS.rawValue
    }

    // MARK: Callbacks

    private static func from(_ object: UnsafeMutableRawPointer?) -> BrokerConnection? {
      object.map { Unmanaged<BrokerConnection>.fromOpaque($0).takeUnretainedValue() }
    }

    private func didConnect(_ code: Int32) {
      guard code == 0 else { return end(BrokerError(String(cString: mosquitto_connack_string(code)))) }
      let opening = state.withLock { state in
        defer { state.opening = nil }
        return state.opening
      }
      opening?.resume(returning: .success(()))
    }

    private func didPublish(_ number: Int32) {
      let waiting: CheckedContinuation<Result<Void, BrokerError>, Never>? = state.withLock { state in
        guard case .awaited(let continuation) = state.receipts[number] else {
          if state.end == nil { state.receipts[number] = .acknowledged }
          return nil
        }
        state.receipts[number] = nil
        return continuation
      }
      waiting?.resume(returning: .success(()))
    }

    private func didReceive(_ message: UnsafePointer<mosquitto_message>?) {
      guard let message = message?.pointee, let topic = message.topic, state.withLock({ $0.end == nil })
      else {
        return
      }
      let payload = UnsafeRawBufferPointer(start: message.payload, count: Int(message.payloadlen))
      let delivery = BrokerDelivery(
        topic: String(cString: topic), payload: Array(payload), isRetained: message.retain)
      inlet.yield(delivery)
      let isTaken = delivery.wait { state.withLock { $0.end == nil } }
      // A closed socket can't carry the acknowledgement that libmosquitto writes next.
      if !isTaken { end(BrokerError("a message could not be stored")) }
    }

    /// Returns the error of a code of libmosquitto.
    static func error(_ code: Int32) -> BrokerError {
      switch code {
      // libmosquitto has no text for this one.
      case MOSQ_ERR_KEEPALIVE.rawValue:
        BrokerError(
          "the broker did not answer for \(Self.keepAlive) s: check MQTT_BROKER, TLS and the network")
      case MOSQ_ERR_ERRNO.rawValue: BrokerError(String(cString: strerror(errno)))
      case MOSQ_ERR_EAI.rawValue:
        BrokerError(
          "the name of the host in MQTT_BROKER could not be resolved: check the name and the network")
      // libmosquitto does not state which of these it is.
      case MOSQ_ERR_TLS.rawValue:
        BrokerError(
          """
          TLS failed: the broker's certificate must name the host of MQTT_BROKER, be valid now, and be signed by an \
          authority of MQTT_CA_FILE, or of the system without that file; and the port must have TLS
          """)
      default: BrokerError(String(cString: mosquitto_strerror(code)))
      }
    }
  }
#endif
