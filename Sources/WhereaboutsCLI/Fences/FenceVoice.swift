import WhereaboutsCore

/// Tells events of fences on standard output, each once it is written down.
struct FenceVoice: Sendable {
  let json: Bool
  let text: FenceEventText
  /// Called where nobody listens any more.
  let stop: AsyncStream<Void>.Continuation

  /// Writes lines of their own, at once.
  func tell(_ events: [ToldEvent]) {
    var bytes: [UInt8] = []
    for event in events {
      if json {
        FenceEventJSON.append(event, to: &bytes)
      } else {
        bytes.appendText("\(text.line(event))\n")
      }
    }
    guard !bytes.isEmpty else { return }
    do { try System.write(System.standardOutput, bytes) } catch { stop.yield() }
  }
}
