import NIOCore
import NIOPosix
import SystemPackage
import WhereaboutsModel

/// An open line to a receiver.
struct ReceiverLine: Sendable {
  /// The line's reports, ending with ``LineReport/ended(wasSilent:firstDataAfter:dataDuration:)``. For one reader.
  let reports: AsyncStream<LineReport>
  fileprivate let channel: any Channel

  /// Acknowledges processed reports, so that the handler reads more.
  func acknowledge(_ count: Int) {
    channel.pipeline.fireUserInboundEventTriggered(ReportsProcessed(count: count))
  }

  /// Closes the line; returns when the line is closed.
  func close() async {
    channel.close(promise: nil)
    try? await channel.closeFuture.get()  // Never fails.
  }
}

/// An opener of lines.
struct LineOpener: Sendable {
  let port: ReceiverPort
  var session: ReceiverSession.Settings
  /// The last working speed, on a line whose speed is searched.
  var speed: Int?
  /// Whether bytes that already wait in a pipe are dropped, since they are older than the demand.
  var dropsWaiting = false
  /// The time without data after which a connection to a server counts as dead.
  var silenceTimeout: Duration?

  private static let connectTimeout = TimeAmount.seconds(5)
  private var group: MultiThreadedEventLoopGroup { .singleton }
  private var problems: ReceiverProblems { ReceiverProblems(port: port) }

  /// Opens the line.
  func open() async throws(ReceiverLineError) -> ReceiverLine {
    let (reports, continuation) = AsyncStream.makeStream(of: LineReport.self)
    let channel: any Channel
    switch port {
    case .serial(let path, let baud):
      channel = try await openSerial(path, baud, continuation)
    case .file(let path):
      let descriptor = try DeviceFile(port, path: path).open(isExclusive: false)
      if dropsWaiting { DeviceFile.drain(descriptor) }
      channel = try await makeChannel(descriptor, serial: try serialLine(descriptor), continuation)
    case .standardInput:
      let descriptor: SystemDescriptor
      do { descriptor = try StandardInputPump.start(keepsPendingInput: !dropsWaiting) } catch {
        throw ReceiverLineError(problem: problems.openFailed("\(error)".lowercasedFirstLetter), retry: .later)
      }
      channel = try await makeChannel(descriptor, serial: nil, continuation)
    case .tcp(let host, let port):
      channel = try await connect(host, port, continuation)
    case .udp(let port, let host):
      channel = try await bind(host, port, continuation)
    }
    return ReceiverLine(reports: reports, channel: channel)
  }

  // MARK: - Devices and pipes

  private func openSerial(
    _ path: String, _ baud: Int?, _ continuation: AsyncStream<LineReport>.Continuation
  ) async throws(ReceiverLineError) -> any Channel {
    if let baud, !SerialLine.supports(baud) {
      let remedy =
        "Leave the speed out to have it found out, or give one of the usual speeds, as in baud=9600."
      throw ReceiverLineError(
        problem: problems.unsupportedDevice("a line can't have \(baud) baud", remedy: remedy), retry: .never)
    }
    let descriptor = try DeviceFile(port, path: path).open(isExclusive: true)
    let line = try serialLine(descriptor)
    if let wanted = baud ?? speed, wanted != line?.speed { line?.setSpeed(wanted) }
    return try await makeChannel(descriptor, serial: line, speed: baud, isSearched: baud == nil, continuation)
  }

  private func serialLine(_ descriptor: SystemDescriptor) throws(ReceiverLineError) -> SerialLine? {
    do { return try SerialLine(descriptor) } catch {
      try? descriptor.close()  // The file was not even read.
      throw ReceiverLineError(problem: problems.unplugged, retry: .immediately)
    }
  }

  /// Makes an event loop read a descriptor, and close it at the end.
  private func makeChannel(
    _ descriptor: SystemDescriptor, serial: SerialLine?, speed: Int? = nil, isSearched: Bool = false,
    _ continuation: AsyncStream<LineReport>.Continuation
  ) async throws(ReceiverLineError) -> any Channel {
    let bootstrap = NIOPipeBootstrap(group: group).channelInitializer { [self] channel in
      channel.eventLoop.makeCompletedFuture {
        let search =
          isSearched && serial != nil
          ? SpeedSearch(present: serial?.speed, at: .now, settings: session.search) : nil
        // A speed that the search does not try can't be its first.
        if let search, serial?.speed != search.speed { serial?.setSpeed(search.speed) }
        let session = ReceiverSession(port, at: .now, settings: session, search: search, speed: speed)
        try channel.pipeline.syncOperations.addHandler(
          LineHandler(session: session, serial: serial, silenceTimeout: nil, reports: continuation))
      }
    }
    do {
      return try await bootstrap.takingOwnershipOfDescriptor(input: descriptor.rawValue).get()
    } catch {
      try? descriptor.close()  // The file was not even read.
      throw ReceiverLineError(problem: problems.openFailed("\(error)".lowercasedFirstLetter), retry: .later)
    }
  }

  // MARK: - Network

  private func connect(
    _ host: String, _ number: Int, _ continuation: AsyncStream<LineReport>.Continuation
  ) async throws(ReceiverLineError) -> any Channel {
    let bootstrap = ClientBootstrap(group: group).connectTimeout(Self.connectTimeout)
      .channelOption(.socketOption(.so_keepalive), value: 1)
      .channelInitializer { [self] channel in
        channel.eventLoop.makeCompletedFuture {
          let session = ReceiverSession(port, at: .now, settings: session)
          try channel.pipeline.syncOperations.addHandler(
            LineHandler(session: session, serial: nil, silenceTimeout: silenceTimeout, reports: continuation))
        }
      }
    let connecting = bootstrap.connect(host: host, port: number)
    // Cancellation does not wait for a remote reply; a connection that still succeeds is closed.
    let outcome = connecting.eventLoop.makePromise(of: (any Channel).self)
    connecting.cascade(to: outcome)
    outcome.futureResult.whenFailure { _ in connecting.whenSuccess { $0.close(promise: nil) } }
    do {
      return try await withTaskCancellationHandler {
        try await outcome.futureResult.get()
      } onCancel: {
        outcome.fail(CancellationError())
      }
    } catch {
      throw networkFailure(error)
    }
  }

  private func bind(
    _ host: String?, _ number: Int, _ continuation: AsyncStream<LineReport>.Continuation
  ) async throws(ReceiverLineError) -> any Channel {
    let group = host.flatMap { try? SocketAddress(ipAddress: $0, port: number) }.flatMap {
      $0.isMulticast ? $0 : nil
    }
    let bootstrap = DatagramBootstrap(group: self.group)
      .channelOption(.socketOption(.so_reuseaddr), value: group == nil ? 0 : 1)
      .channelInitializer { [self] channel in
        channel.eventLoop.makeCompletedFuture {
          let session = ReceiverSession(port, at: .now, settings: session)
          try channel.pipeline.syncOperations.addHandlers([
            SenderLockHandler(),
            LineHandler(session: session, serial: nil, silenceTimeout: nil, reports: continuation),
          ])
        }
      }
    do {
      // The IPv4 wildcard address, which receives broadcasts.
      let channel = try await bootstrap.bind(host: group?.ipAddress ?? host ?? "0.0.0.0", port: number).get()
      if let group, let multicast = channel as? any MulticastChannel {
        do { try await multicast.joinGroup(group).get() } catch {
          channel.close(promise: nil)
          throw error
        }
      }
      return channel
    } catch {
      throw networkFailure(error)
    }
  }

  /// Returns the reason why a server can't be reached, or why datagrams can't be received.
  func networkFailure(_ error: any Error) -> ReceiverLineError {
    var error = error
    var name: any Error = error
    if let connection = error as? NIOConnectionError {
      name = connection.dnsAError ?? connection.dnsAAAAError ?? error
      if let last = connection.connectionErrors.last { error = last.error }
    }
    let number = (error as? IOError)?.errnoCode
    let reason: String =
      if let number {
        Errno(rawValue: number).description.lowercasedFirstLetter
      } else if case .connectTimeout? = error as? ChannelError {
        "it does not answer"
      } else if error is NIOConnectionError {
        "there is no such host"
      } else {
        "\(name)"
      }
    let failure = number.map { Errno(rawValue: $0) }
    // A route may forbid a connection for now, and all ports of this computer may be in use.
    guard case .udp = port else {
      return ReceiverLineError(
        problem: problems.connectionFailed(reason, failure),
        retry: failure == .connectionRefused ? .immediately : .later)
    }
    if failure == .addressInUse {
      let problem = SourceProblem(
        .inUse, message: "listen at \(port): another program does", remedy: "End the other program.")
      return ReceiverLineError(problem: problem, retry: .immediately)
    }
    if failure == .permissionDenied {
      let problem = SourceProblem(
        .notPermitted, message: "listen at \(port): permission denied", remedy: "Use a port above 1023.")
      return ReceiverLineError(problem: problem, retry: .whenPermitted)
    }
    return ReceiverLineError(problem: problems.listeningFailed(reason, failure), retry: .later)
  }
}
