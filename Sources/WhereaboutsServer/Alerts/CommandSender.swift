import Foundation

/// A sender of notifications to a program: the message as JSON on its standard input, and its values in arguments and
/// environment.
struct CommandSender: Sendable {
  let command: [String]
  let timeout: Duration

  /// The variables of the server's environment that a program gets, besides those of the language. The session's
  /// addresses are for notifications of a desktop.
  private static let passedVariables: Set<String> = [
    "PATH", "HOME", "LANG", "LANGUAGE", "DBUS_SESSION_BUS_ADDRESS", "XDG_RUNTIME_DIR",
  ]

  /// Makes an attempt.
  func send(_ message: NotificationMessage, _ words: NotificationText) async -> DeliveryResult {
    let values = message.values(words)
    let arguments = command.prefix(1) + command.dropFirst().map { NotificationText.replacing($0, values) }
    let environment = Self.environment(values, server: ProcessInfo.processInfo.environment)
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

  /// Returns the environment of a program.
  ///
  /// - Parameters:
  ///   - values: the values of the notification.
  ///   - server: the server's environment, whose other variables may hold passwords.
  static func environment(_ values: [String: String], server: [String: String]) -> [String: String] {
    var environment = server.filter { passedVariables.contains($0.key) || $0.key.hasPrefix("LC_") }
    for (name, value) in values {
      environment[ServerSetting.prefix + name.uppercased()] = value.replacingOccurrences(of: "\0", with: "")
    }
    return environment
  }
}
