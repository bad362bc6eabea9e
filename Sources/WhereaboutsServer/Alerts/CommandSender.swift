import Foundation

/// A sender of notifications to a program: the message as JSON on its standard input, and its values in arguments and
/// environment.
struct CommandSender: Sendable {
  let command: [String]
  let timeout: Duration

  /// Makes an attempt.
  func send(_ message: NotificationMessage, _ words: NotificationText) async -> DeliveryResult {
    let values = message.values(words)
    let arguments = command.prefix(1) + command.dropFirst().map { NotificationText.replacing($0, values) }
    // The server's own settings, such as the path of a password, are not for the program.
    var environment = ProcessInfo.processInfo.environment.filter {
      !$0.key.hasPrefix(ServerSetting.prefix)
    }
    for (name, value) in values {
      environment[ServerSetting.prefix + name.uppercased()] = value.replacingOccurrences(of: "\0", with: "")
    }
    let program = ChildProgram(arguments: Array(arguments), environment: environment)
    switch await program.run(input: message.json(words) + [0x0A], timeout: timeout) {
    case .exited(0): return .delivered
    case .exited(let code): return .refused(reason: "the program ended with \(code)")
    case .ended(let signal): return .refused(reason: "the program was ended by signal \(signal)")
    case .timedOut:
      return .refused(reason: "the program did not end within \(timeout.components.seconds) s")
    case .notStarted(let code):
      let reason = String(cString: strerror(code)).lowercased()
      return .failed(reason: "the program could not be started: \(reason)", retryAfter: nil)
    }
  }
}
