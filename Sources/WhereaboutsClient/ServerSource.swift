package import Whereabouts
import WhereaboutsFormats
import WhereaboutsModel

/// A source of the fixes of a server's device: the newest one, and then each new one.
///
/// A broken connection is opened again after 1 s, and then after pauses that double up to 60 s. Without demand there is
/// no connection. A token that may not read the device is a failure.
package struct ServerSource: LocationSource {
  private static let longestPause = Duration.seconds(60)

  private let device: RemoteDevice

  /// Creates a source.
  package init(_ device: RemoteDevice) { self.device = device }

  /// Runs until the task is cancelled.
  package func run(_ link: SourceLink) async {
    var following: Task<Void, Never>?
    for await demand in link.demands {
      // A repeated demand asks for another attempt.
      following?.cancel()
      await following?.value
      following = demand.fixes == .off ? nil : Task { await follow(link) }
    }
    following?.cancel()
    await following?.value
  }

  private func follow(_ link: SourceLink) async {
    var pause = Duration.seconds(1)
    while !Task.isCancelled {
      do {
        var parser = EventStreamParser(), isOpen = false
        try await device.client.stream(["stream"], [("device", device.id.rawValue)]) { part in
          let events = parser.parse(part)
          // The server begins with a comment, so that no fix is lost between the newest one and the stream.
          if !isOpen {
            isOpen = true
            await sendNewestFix(to: link)
          }
          for event in events where event.type == "fix" { await send(event.data, to: link) }
          pause = .seconds(1)
        }
        await link.send(
          .unavailable(SourceProblem(.unreachable, message: "keep the connection: the server ended it")))
      } catch let error as ServerClientError {
        let problem = SourceProblem(error)
        if error.kind == .notPermitted || error.kind == .notFound {
          await link.send(.failed(problem))
          return
        }
        await link.send(.unavailable(problem))
      } catch {
        return
      }
      try? await Task.sleep(for: pause)
      pause = min(pause * 2, Self.longestPause)
    }
  }

  private func sendNewestFix(to link: SourceLink) async {
    do {
      if let newest = try await device.lastFix() {
        await link.send(.fix(newest.fix, age: newest.fix.isSimulated ? .sinceFixTime : .sinceTrustedTime))
      } else {
        await link.send(
          .unavailable(
            SourceProblem(.noPosition, message: "get a fix: the server has none of \(device.id.rawValue) yet")
          ))
      }
    } catch let error as ServerClientError where error.kind == .notPermitted || error.kind == .notFound {
      await link.send(.unavailable(SourceProblem(error)))
    } catch {
      // The stream itself reports a broken connection.
    }
  }

  private func send(_ data: [UInt8], to link: SourceLink) async {
    let fix = data.withUnsafeBytes { bytes -> Fix? in
      var scanner = JSONScanner(bytes)
      return try? scanner.wholeObject()?.fix()
    }
    guard let fix else {
      await link.send(.unavailable(SourceProblem(.notUnderstood, message: "read what the server sends")))
      return
    }
    // A recording that the server plays has old times, and its fixes are new.
    await link.send(.fix(fix, age: fix.isSimulated ? .sinceArrival : .sinceTrustedTime))
  }
}

extension SourceProblem {
  fileprivate init(_ error: ServerClientError) {
    let text = error.description
    let message = text.hasPrefix("could not ") ? String(text.dropFirst(10)) : "follow the device: \(text)"
    switch error.kind {
    case .notPermitted: self.init(.notPermitted, message: message)
    case .unreachable: self.init(.unreachable, message: message)
    case .notFound: self.init(.unusable, message: message)
    case .changed, .refused: self.init(.unreachable, message: message)
    }
  }
}
