#if GeoClue && os(Linux)
  import CSDBus
  import Synchronization
  import WhereaboutsSystem

  /// A connection to the message bus, on a thread of its own.
  ///
  /// An `sd_bus` object belongs to one thread, which waits for its descriptor and processes it. So each connection
  /// has its own thread, which ends with the connection. The thread sleeps in `poll` until the bus has data or this
  /// process has a command, and never wakes up without traffic.
  ///
  /// A lock guards ``pending`` with the socket in it, which the thread closes at its end. All other mutable state is in
  /// ``BusLoop``, which belongs to the thread.
  final class BusConnection: Sendable {
    /// The events of a connection, in order.
    enum Event: Sendable {
      case signal(BusSignal)
      /// The reply to the call with this number.
      case reply(Int, Result<BusReply, DBusError>)
      /// The bus can't be reached, or the connection was lost; the last event.
      case lost(DBusError)
    }

    /// A command to the thread.
    enum Command: Sendable {
      /// Send a call; the reply arrives with the number, and is ignored without one.
      case call(BusCall, number: Int?)
      /// Close the connection.
      case close
    }

    private struct PendingCommands: Sendable {
      var commands: [Command] = []
      /// The socket that wakes the thread; `nil` once the thread has ended.
      var wakeUp: CInt?
    }

    private let pending: Mutex<PendingCommands>

    /// Starts connecting.
    ///
    /// - Parameters:
    ///   - address: the address of the bus; `nil` for the system bus.
    ///   - matches: the match rules of the wanted signals.
    ///   - deliver: receives the events on the connection's thread, never after ``close()`` has taken effect.
    init(
      address: String?, matches: [String], deliver: @escaping @Sendable (Event) -> Void
    ) {
      var ends: [CInt] = [-1, -1]
      let kind = SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue
      guard socketpair(AF_UNIX, CInt(kind), 0, &ends) == 0 else {
        pending = Mutex(PendingCommands())
        deliver(.lost(DBusError("socketpair", String(cString: strerror(errno)))))
        return
      }
      pending = Mutex(PendingCommands(wakeUp: ends[1]))
      let loop = BusLoop(connection: self, wakeUp: ends[0], deliver: deliver)
      let start = ThreadArguments(loop: loop, address: address, matches: matches)
      var thread = pthread_t()
      let created = pthread_create(
        &thread, nil,
        { argument in
          guard let argument else { return nil }
          let start = Unmanaged<ThreadArguments>.fromOpaque(argument).takeRetainedValue()
          start.loop.run(address: start.address, matches: start.matches)
          return nil
        }, Unmanaged.passRetained(start).toOpaque())
      guard created == 0 else {
        Unmanaged.passUnretained(start).release()
        _ = dequeueAllAndClose()
        Glibc.close(ends[0])
        deliver(.lost(DBusError("thread", String(cString: strerror(created)))))
        return
      }
      pthread_detach(thread)
    }

    /// The arguments of the thread.
    private final class ThreadArguments {
      let loop: BusLoop
      let address: String?
      let matches: [String]

      init(loop: BusLoop, address: String?, matches: [String]) {
        self.loop = loop
        self.address = address
        self.matches = matches
      }
    }

    /// Calls a method; the reply arrives with this number. Without a number, the reply is ignored.
    func call(_ call: BusCall, number: Int? = nil) {
      enqueue(.call(call, number: number))
    }

    /// Closes the connection, after earlier calls have been sent.
    func close() {
      enqueue(.close)
    }

    private func enqueue(_ command: Command) {
      pending.withLock { pending in
        guard let wakeUp = pending.wakeUp else { return }
        pending.commands.append(command)
        // A full socket wakes the thread as well.
        _ = withUnsafeBytes(of: UInt8(0)) { Glibc.send(wakeUp, $0.baseAddress, 1, CInt(MSG_NOSIGNAL)) }
      }
    }

    fileprivate func dequeueAll() -> [Command] {
      pending.withLock { pending in
        defer { pending.commands.removeAll() }
        return pending.commands
      }
    }

    /// Returns all commands, and accepts no more.
    fileprivate func dequeueAllAndClose() -> [Command] {
      pending.withLock { pending in
        if let wakeUp = pending.wakeUp { Glibc.close(wakeUp) }
        pending.wakeUp = nil
        defer { pending.commands.removeAll() }
        return pending.commands
      }
    }
  }

  /// The thread's main loop: everything that uses sd-bus.
  private final class BusLoop {
    private let connection: BusConnection
    private let wakeUp: CInt
    private let deliver: @Sendable (BusConnection.Event) -> Void
    /// The numbers of the pending calls, by the cookies of sd-bus.
    private var numbers: [UInt64: Int] = [:]

    init(connection: BusConnection, wakeUp: CInt, deliver: @escaping @Sendable (BusConnection.Event) -> Void)
    {
      self.connection = connection
      self.wakeUp = wakeUp
      self.deliver = deliver
    }

    func run(address: String?, matches: [String]) {
      var bus: OpaquePointer?
      let opened = open(&bus, address: address, matches: matches)
      let lost = opened < 0 || bus == nil ? opened : bus.map { processCommands($0) } ?? 0
      sd_bus_close_unref(bus)
      _ = connection.dequeueAllAndClose()
      close(wakeUp)
      if lost < 0 { deliver(.lost(DBusError("connection", String(cString: strerror(-lost))))) }
    }

    private func open(_ bus: inout OpaquePointer?, address: String?, matches: [String]) -> CInt {
      var result: CInt
      if let address {
        result = sd_bus_new(&bus)
        guard result >= 0 else { return result }
        result = sd_bus_set_address(bus, address)
        guard result >= 0 else { return result }
        result = sd_bus_set_bus_client(bus, 1)
        guard result >= 0 else { return result }
        result = sd_bus_start(bus)
      } else {
        result = sd_bus_open_system(&bus)
      }
      // Unretained: `run` closes the bus, and with it ends all callbacks, before it returns.
      let me = Unmanaged.passUnretained(self).toOpaque()
      for match in matches where result >= 0 {
        result = sd_bus_add_match_async(bus, nil, match, handleSignal, nil, me)
      }
      return result
    }

    /// Runs the connection until it is closed.
    ///
    /// - Returns: 0 if this side closed the connection, else a negative error number.
    private func processCommands(_ bus: OpaquePointer) -> CInt {
      while true {
        for command in connection.dequeueAll() {
          switch command {
          case .close: return 0
          case .call(let call, let number): send(call, number, on: bus)
          }
        }
        var processed: CInt
        repeat { processed = sd_bus_process(bus, nil) } while processed > 0
        guard processed == 0 else { return processed }
        let waited = wait(for: bus)
        guard waited >= 0 else { return waited }
      }
    }

    /// Sleeps until the bus has data, a call times out, or a command arrives.
    private func wait(for bus: OpaquePointer) -> CInt {
      let descriptor = sd_bus_get_fd(bus)
      guard descriptor >= 0 else { return descriptor }
      let events = sd_bus_get_events(bus)
      guard events >= 0 else { return events }
      var due = UInt64.max
      let asked = sd_bus_get_timeout(bus, &due)
      guard asked >= 0 else { return asked }
      var descriptors = [
        pollfd(fd: descriptor, events: Int16(truncatingIfNeeded: events), revents: 0),
        pollfd(fd: wakeUp, events: Int16(POLLIN), revents: 0),
      ]
      let polled = poll(&descriptors, 2, Self.milliseconds(until: due))
      guard polled >= 0 || errno == EINTR else { return -errno }
      var bytes: [UInt8] = Array(repeating: 0, count: 64)
      while read(wakeUp, &bytes, bytes.count) == bytes.count {}
      return 0
    }

    /// Returns the milliseconds until a moment, rounded up, for `poll`; -1 waits without a limit.
    ///
    /// - Parameter due: the moment in microseconds of the monotonic clock; the greatest number for none.
    private static func milliseconds(until due: UInt64) -> CInt {
      guard due < .max else { return -1 }
      var now = timespec()
      clock_gettime(CLOCK_MONOTONIC, &now)
      let microseconds = UInt64(max(0, now.tv_sec)) * 1_000_000 + UInt64(max(0, now.tv_nsec)) / 1000
      return due > microseconds ? CInt(clamping: (due - microseconds + 999) / 1000) : 0
    }

    // MARK: Sending

    private func send(_ call: BusCall, _ number: Int?, on bus: OpaquePointer) {
      let result = trySending(call, number, on: bus)
      if result < 0, let number {
        deliver(.reply(number, .failure(DBusError("send", String(cString: strerror(-result))))))
      }
    }

    private func trySending(_ call: BusCall, _ number: Int?, on bus: OpaquePointer) -> CInt {
      var message: OpaquePointer?
      defer { sd_bus_message_unref(message) }
      var result = sd_bus_message_new_method_call(
        bus, &message, call.destination, call.path, call.interface, call.member)
      guard result >= 0, let message else { return result }
      sd_bus_message_set_auto_start(message, call.allowsAutoStart ? 1 : 0)
      result = BusMessage.append(call.arguments, to: message)
      guard result >= 0 else { return result }
      guard let number else {
        sd_bus_message_set_expect_reply(message, 0)
        return sd_bus_send(bus, message, nil)
      }
      let timeout = call.timeout.map { UInt64(max(0, $0 / .microseconds(1))) } ?? .max
      let me = Unmanaged.passUnretained(self).toOpaque()
      result = sd_bus_call_async(bus, nil, message, handleReply, me, timeout)
      guard result >= 0 else { return result }
      var cookie: UInt64 = 0
      result = sd_bus_message_get_cookie(message, &cookie)
      if result >= 0 { numbers[cookie] = number }
      return result
    }

    // MARK: Receiving

    func handle(reply message: OpaquePointer) {
      var cookie: UInt64 = 0
      guard sd_bus_message_get_reply_cookie(message, &cookie) >= 0,
        let number = numbers.removeValue(forKey: cookie)
      else { return }
      if let error = sd_bus_message_get_error(message) {
        let failure = DBusError(
          BusMessage.string(error.pointee.name), BusMessage.string(error.pointee.message))
        return deliver(.reply(number, .failure(failure)))
      }
      let reply = BusReply(
        sender: BusMessage.string(sd_bus_message_get_sender(message)), values: BusMessage.values(of: message))
      deliver(.reply(number, .success(reply)))
    }

    func handle(signal message: OpaquePointer) {
      deliver(
        .signal(
          BusSignal(
            sender: BusMessage.string(sd_bus_message_get_sender(message)),
            path: BusMessage.string(sd_bus_message_get_path(message)),
            interface: BusMessage.string(sd_bus_message_get_interface(message)),
            member: BusMessage.string(sd_bus_message_get_member(message)),
            values: BusMessage.values(of: message))))
    }
  }

  /// Handles the reply to a call; sd-bus calls this with an error of its own after a timeout.
  private func handleReply(
    _ message: OpaquePointer?, _ loop: UnsafeMutableRawPointer?, _: UnsafeMutablePointer<sd_bus_error>?
  ) -> CInt {
    guard let message, let loop else { return 0 }
    Unmanaged<BusLoop>.fromOpaque(loop).takeUnretainedValue().handle(reply: message)
    return 1
  }

  /// Handles a signal; sd-bus calls this for each match.
  private func handleSignal(
    _ message: OpaquePointer?, _ loop: UnsafeMutableRawPointer?, _: UnsafeMutablePointer<sd_bus_error>?
  ) -> CInt {
    guard let message, let loop else { return 0 }
    Unmanaged<BusLoop>.fromOpaque(loop).takeUnretainedValue().handle(signal: message)
    // Another rule may match the signal too.
    return 0
  }
#endif
