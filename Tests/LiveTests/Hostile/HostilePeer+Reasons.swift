import Testing

extension HostilePeer {
  /// Runs `now --json` with a peer of each fault, and expects the reason why there is no fix. All run at once, since
  /// each of them waits for its timeout.
  ///
  /// - Returns: the outputs, in any order.
  static func expectReasons(
    _ reasons: [(Fault, String)], timeout: String, at source: @escaping @Sendable (HostilePeer) -> String
  ) async throws -> [String] {
    try await withThrowingTaskGroup(of: String.self) { group in
      for (fault, reason) in reasons {
        group.addTask {
          let peer = try await HostilePeer(fault)
          let command = ["now", "--json", "--source", source(peer), "--timeout"]
          var run = try await LiveCommand(command + [timeout])
          // A busy machine may need longer for the reason.
          if !run.errors.contains(reason) { run = try await LiveCommand(command + ["240s"]) }
          #expect(run.code == 3)
          #expect(run.errors.contains(reason), "\(run.errors)")
          await peer.stop()
          return run.output
        }
      }
      return try await group.reduce(into: []) { $0.append($1) }
    }
  }
}
