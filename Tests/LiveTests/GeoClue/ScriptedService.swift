#if GeoClue && os(Linux)
  import CSDBus
  import Foundation
  import Synchronization
  import WhereaboutsGeoClue

  /// A location service controlled by a test, with the D-Bus interface of the real one.
  ///
  /// The connection is used by one thread only; the commands of a test are guarded by a lock.
  final class ScriptedService: Sendable {
    enum StartAnswer: Sendable {
      case yes, never
      case no(String, String)
    }

    struct Behavior: Sendable {
      /// Whether clients are created; without an agent the real service never answers.
      var admitsClients = true
      var start = StartAnswer.yes
      /// Whether a location object still exists when a client reads it.
      var retainsLocations = true
    }

    struct Call: Sendable {
      var sender: String
      var path: String
      var member: String
      var arguments: [BusValue]
    }

    enum Command: Sendable {
      case setLocation(BusValue)
      case setActive(Bool)
      case admitClients
      case end
    }

    /// The received calls, and "gone" for a client that has left the bus. For one reader.
    let calls: AsyncStream<Call>
    private let callContinuation: AsyncStream<Call>.Continuation
    private let ended: AsyncStream<Void>
    private struct State {
      var behavior: Behavior
      var commands: [Command] = []
    }
    private let state: Mutex<State>

    /// Starts the service and waits for its name on the bus.
    init(address: String, _ manners: Behavior = Behavior()) async throws {
      (calls, callContinuation) = AsyncStream.makeStream(of: Call.self)
      let (ended, atEnd) = AsyncStream.makeStream(of: Void.self)
      self.ended = ended
      state = Mutex(State(behavior: manners))
      let (ready, isReady) = AsyncStream.makeStream(of: CInt.self)
      Thread.detachNewThread { [self] in
        ScriptedServiceLoop(self).run(address: address) { isReady.yield($0) }
        callContinuation.finish()
        atEnd.finish()
      }
      for await result in ready {
        guard result >= 0 else { throw BusError(description: String(cString: strerror(-result))) }
        return
      }
    }

    var behavior: Behavior {
      get { state.withLock { $0.behavior } }
      set { state.withLock { $0.behavior = newValue } }
    }

    /// Sends a new location to the admitted clients.
    func setLocation(_ location: BusValue) { enqueue(.setLocation(location)) }
    /// Stops or starts the clients, as when the user switches location off or on.
    func setActive(_ isActive: Bool) { enqueue(.setActive(isActive)) }
    /// Answers the clients that wait for admission.
    func admitClients() { enqueue(.admitClients) }

    /// Leaves the bus and waits until this is done.
    func end() async {
      enqueue(.end)
      for await _ in ended {}
    }

    private func enqueue(_ command: Command) { state.withLock { $0.commands.append(command) } }

    fileprivate func dequeueCommands() -> [Command] {
      state.withLock { waiting in
        defer { waiting.commands.removeAll() }
        return waiting.commands
      }
    }

    fileprivate func record(_ call: Call) { callContinuation.yield(call) }
  }

  /// The loop of the service's thread.
  private final class ScriptedServiceLoop {
    private static let name = "org.freedesktop.GeoClue2"
    private let service: ScriptedService
    private var bus: OpaquePointer?
    private var clients: [String: String] = [:]
    private var waitingForClient: [OpaquePointer] = []
    private var locations: [String: BusValue] = [:]
    private var locationCount = 0

    init(_ service: ScriptedService) { self.service = service }

    func run(address: String, isReady: (CInt) -> Void) {
      let opened = open(address)
      isReady(opened)
      while opened >= 0 {
        for command in service.dequeueCommands() {
          if case .end = command { return close() }
          execute(command)
        }
        var processed: CInt
        repeat { processed = sd_bus_process(bus, nil) } while processed > 0
        guard processed >= 0, sd_bus_wait(bus, 10_000) >= 0 else { break }
      }
      close()
    }

    private func open(_ address: String) -> CInt {
      sd_bus_new(&bus)
      sd_bus_set_address(bus, address)
      sd_bus_set_bus_client(bus, 1)
      let started = sd_bus_start(bus)
      guard started >= 0 else { return started }
      let me = Unmanaged.passUnretained(self).toOpaque()
      sd_bus_add_fallback(bus, nil, "/org/freedesktop/GeoClue2", onCall, me)
      let match = "type='signal',sender='org.freedesktop.DBus',member='NameOwnerChanged'"
      sd_bus_add_match(bus, nil, match, onNameOwnerChange, me)
      return sd_bus_request_name(bus, Self.name, 0)
    }

    private func close() {
      for call in waitingForClient { sd_bus_message_unref(call) }
      sd_bus_flush_close_unref(bus)
      bus = nil
    }

    private func execute(_ command: ScriptedService.Command) {
      switch command {
      case .setLocation(let location):
        locationCount += 1
        for (sender, client) in clients {
          let path = "\(client)/Location/\(locationCount)"
          if service.behavior.retainsLocations { locations[path] = location }
          emit(
            "LocationUpdated", of: "\(Self.name).Client", at: client, to: sender, [.path("/"), .path(path)])
        }
      case .setActive(let isActive):
        for (sender, client) in clients {
          emit(
            "PropertiesChanged", of: "org.freedesktop.DBus.Properties", at: client, to: sender,
            [.text("\(Self.name).Client"), .properties(["Active": .bool(isActive)]), .array(of: "s", [])])
        }
      case .admitClients:
        for call in waitingForClient {
          answerWithClient(call)
          sd_bus_message_unref(call)
        }
        waitingForClient = []
      case .end: break
      }
    }

    private func emit(
      _ member: String, of interface: String, at path: String, to sender: String, _ values: [BusValue]
    ) {
      var message: OpaquePointer?
      sd_bus_message_new_signal(bus, &message, path, interface, member)
      guard let message else { return }
      sd_bus_message_set_destination(message, sender)
      _ = BusMessage.append(values, to: message)
      sd_bus_send(bus, message, nil)
      sd_bus_message_unref(message)
    }

    // MARK: Calls

    func handleCall(_ call: OpaquePointer) -> CInt {
      let member = BusMessage.string(sd_bus_message_get_member(call))
      let path = BusMessage.string(sd_bus_message_get_path(call))
      let arguments = BusMessage.values(of: call)
      let sender = BusMessage.string(sd_bus_message_get_sender(call))
      answer(member, path, arguments, to: call)
      service.record(.init(sender: sender, path: path, member: member, arguments: arguments))
      return 1
    }

    private func answer(_ member: String, _ path: String, _ arguments: [BusValue], to call: OpaquePointer) {
      switch member {
      case "GetClient":
        if service.behavior.admitsClients {
          answerWithClient(call)
        } else if let call = sd_bus_message_ref(call) {
          waitingForClient.append(call)
        }
      case "Start":
        switch service.behavior.start {
        case .yes: reply([], to: call)
        case .never: break
        case .no(let name, let message): refuse(name, message, call)
        }
      case "GetAll" where path.hasSuffix("/Manager"):
        reply([.properties(["InUse": .bool(false), "AvailableAccuracyLevel": .uint32(8)])], to: call)
      case "GetAll":
        guard let location = locations[path] else {
          return refuse("org.freedesktop.DBus.Error.UnknownMethod", "No such interface", call)
        }
        reply([location], to: call)
      default: reply([], to: call)
      }
    }

    private func answerWithClient(_ call: OpaquePointer) {
      let path = "/org/freedesktop/GeoClue2/Client/\(clients.count + 1)"
      clients[BusMessage.string(sd_bus_message_get_sender(call))] = path
      reply([.path(path)], to: call)
    }

    private func reply(_ values: [BusValue], to call: OpaquePointer) {
      var message: OpaquePointer?
      sd_bus_message_new_method_return(call, &message)
      guard let message else { return }
      _ = BusMessage.append(values, to: message)
      sd_bus_send(bus, message, nil)
      sd_bus_message_unref(message)
    }

    private func refuse(_ name: String, _ message: String, _ call: OpaquePointer) {
      name.withCString { name in
        message.withCString { message in
          var error = sd_bus_error(name: name, message: message, _need_free: 0)
          sd_bus_reply_method_error(call, &error)
        }
      }
    }

    func handleNameOwnerChange(_ values: [BusValue]) {
      guard values.count == 3, let name = values[0].asText, values[2].asText == "",
        let path = clients.removeValue(forKey: name)
      else { return }
      service.record(.init(sender: name, path: path, member: "gone", arguments: []))
    }
  }

  private func onCall(
    _ message: OpaquePointer?, _ loop: UnsafeMutableRawPointer?, _: UnsafeMutablePointer<sd_bus_error>?
  ) -> CInt {
    guard let message, let loop else { return 0 }
    return Unmanaged<ScriptedServiceLoop>.fromOpaque(loop).takeUnretainedValue().handleCall(message)
  }

  private func onNameOwnerChange(
    _ message: OpaquePointer?, _ loop: UnsafeMutableRawPointer?, _: UnsafeMutablePointer<sd_bus_error>?
  ) -> CInt {
    guard let message, let loop else { return 0 }
    Unmanaged<ScriptedServiceLoop>.fromOpaque(loop).takeUnretainedValue()
      .handleNameOwnerChange(BusMessage.values(of: message))
    return 0
  }
#endif
