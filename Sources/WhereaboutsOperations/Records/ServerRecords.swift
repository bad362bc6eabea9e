#if Upload
  package import WhereaboutsClient
  package import WhereaboutsModel
  package import WhereaboutsReports

  /// The records of a device at a server.
  package struct ServerRecords: DeviceRecords {
    package let client: ServerClient
    /// The device that was given, or the only one; `nil` if it is not certain which is meant.
    private let device: RemoteDevice?
    /// The devices that the token may read.
    private let devices: [DeviceID]
    /// The store of a server that was asked at its socket; `nil` for another one.
    private var store: StorePath?

    // MARK: Connection

    /// Returns the records at a server.
    ///
    /// - Parameters:
    ///   - device: the device; `nil` for this machine's, or the only one.
    ///   - readsPast: whether this machine's device is left out if it has no past and others are there, as in
    ///     ``OpenStore/readingPast(_:usageCounts:)``.
    package static func connect(
      to address: ServerAddress, device: DeviceID?, readsPast: Bool = false
    ) async throws -> ServerRecords {
      try await attempt {
        let client = try ServerClient(address)
        var devices = try await client.devices()
        // A server lists the device of its source, also before the first fix.
        if device == nil, readsPast, devices.count > 1, devices.contains(.this),
          try await !RemoteDevice(client: client, id: .this).hasPast()
        {
          devices.removeAll { $0 == .this }
        }
        let id = device ?? (devices.contains(.this) ? .this : devices.count == 1 ? devices.first : nil)
        return ServerRecords(
          client: client, device: id.map { RemoteDevice(client: client, id: $0) }, devices: devices)
      }
    }

    /// Returns the records at the server that runs on a store; `nil` if none runs or the server does not have the
    /// device.
    package static func connect(toServerOf store: StorePath, device: DeviceID) async throws -> ServerRecords?
    {
      guard System.status(atPath: store.socket) != nil else { return nil }
      let client = try ServerClient(ServerAddress(socket: store.socket))
      do {
        let devices = try await client.devices()
        guard devices.contains(device) else { return nil }
        return ServerRecords(
          client: client, device: RemoteDevice(client: client, id: device), devices: devices, store: store)
      } catch is ServerClientError {
        // A socket that a killed server left, or the server of another user: the store has everything too.
        return nil
      }
    }

    /// Returns the records at the server that runs on a selected store; `nil` if none runs or the server does not have
    /// the device, which is `this` unless the selection has another one.
    ///
    /// - Parameter readsPast: whether the device is the one that ``OpenStore/readingPast(_:usageCounts:)`` selects: the
    ///   only one with data if `this` has none.
    /// - Throws: with `readsPast`, also an error if the device has no data and others have.
    package static func connect(
      toServerOf selection: StoreSelection, readsPast: Bool
    ) async throws -> ServerRecords? {
      let store = try selection.path()
      guard System.status(atPath: store.socket) != nil else { return nil }
      var device = selection.device ?? .this
      if readsPast, store.exists {
        let past = try OpenStore.readingPast(selection)
        past.close()
        device = past.device
      }
      return try await connect(toServerOf: store, device: device)
    }

    /// Returns the device.
    ///
    /// - Throws: an error if it is not certain which is meant.
    package func requiredDevice() throws(CommandError) -> RemoteDevice {
      if let device { return device }
      guard !devices.isEmpty else {
        throw CommandError("the token has access to no device at \(client.address.name)")
      }
      let names =
        devices.prefix(20).map(\.rawValue).joined(separator: ", ") + (devices.count > 20 ? " …" : "")
      throw CommandError("no device was given. Pass --device with one of \(names).", code: .usage)
    }

    /// Returns the store of a server that was asked at its socket, opened for reading; `nil` for another server.
    func openStore() -> OpenStore? {
      store.flatMap { try? OpenStore.reading(StoreSelection(file: $0.file, device: device?.id)) }
    }

    /// Runs a body, and converts the client's errors to command errors.
    private static func attempt<Value>(_ body: () async throws -> Value) async throws -> Value {
      do { return try await body() } catch let error as ServerClientError {
        throw CommandError(error)
      }
    }

    package func attempt<Value>(_ body: (RemoteDevice) async throws -> Value) async throws -> Value {
      let device = try requiredDevice()
      return try await Self.attempt { try await body(device) }
    }

    /// Whether the server has a source of its machine.
    package var hasSource: Bool {
      get async throws { try await Self.attempt { try await client.hasSource() } }
    }

    // MARK: Records

    package func lastFix() async throws -> LoggedFix? {
      try await attempt { try await $0.lastFix() }
    }

    package func fixes(
      in span: Range<UTCTime>?, all: Bool, limit: Int?, _ body: (LoggedFix) throws -> Void
    ) async throws {
      try await attempt { device in
        guard let limit else { return try await device.fixes(in: span, all: all, body) }
        if limit <= RemoteDevice.pageSize {
          for fix in try await device.newestFixes(limit, in: span, all: all) { try body(fix) }
          return
        }
        var newest: [LoggedFix] = []
        try await device.fixes(in: span, all: all) { fix in
          newest.append(fix)
          if newest.count - limit >= limit { newest.removeFirst(limit) }
        }
        for fix in newest.suffix(limit) { try body(fix) }
      }
    }

    package func trips() async throws -> [Trip] { try await attempt { try await $0.trips() } }

    package func gaps(of trip: TripID) async throws -> [Trip.Gap] {
      try await attempt { try await $0.gaps(of: trip) }
    }

    package func reportedEvents() async throws -> [ReportedFenceEvent] {
      try await attempt { device in
        var builder = ReportedEventBuilder(), reported: [ReportedFenceEvent] = []
        try await device.fenceRecords { record in
          if let event = builder.event(of: record) { reported.append(event) }
        }
        return reported
      }
    }

    package func fences() async throws -> [Fence] { try await Self.attempt { try await client.fences() } }

    package func fenceStates() async throws -> [FenceID: FenceState] {
      guard let device else { return [:] }
      return try await Self.attempt {
        do { return try await device.fenceStates() } catch let error as ServerClientError {
          // The fences themselves are for every reader.
          guard error.kind == .notPermitted else { throw error }
          StandardError.print(
            "whereabouts: the sides of the fences are missing: they are for the owner of \(device.id)")
          return [:]
        }
      }
    }

    package func changeFences<Result>(
      _ change: (inout [Fence]) throws(CommandError) -> Result
    ) async throws -> Result {
      try await Self.attempt { try await client.changeFences(change) }
    }

    package func close() {}
  }

  extension CommandError {
    package init(_ error: ServerClientError) {
      self.init(error.description, code: error.kind == .notPermitted ? .notPermitted : .failed)
    }
  }
#endif
