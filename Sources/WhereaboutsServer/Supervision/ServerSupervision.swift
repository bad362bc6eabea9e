/// The parts that the program lends a server: the configuration to read again, and the supervisor.
package struct ServerSupervision: Sendable {
  /// The configuration at the start.
  package var configuration: ServerConfiguration
  /// Reads the configuration again.
  package var read: @Sendable () throws(ConfigurationProblems) -> ServerConfiguration
  /// The output of the log.
  package var log: LogOutput
  /// The notifier of a supervisor; `nil` without one.
  package var notifier: ServiceNotifier?

  /// Creates the supervision of a server.
  package init(
    configuration: ServerConfiguration, log: LogOutput, notifier: ServiceNotifier?,
    read: @escaping @Sendable () throws(ConfigurationProblems) -> ServerConfiguration
  ) {
    self.configuration = configuration
    self.log = log
    self.notifier = notifier
    self.read = read
  }
}
