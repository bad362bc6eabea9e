import UnixSignals

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
  /// Each SIGHUP since the creation.
  let hangups: UnixSignalsSequence

  /// Creates the supervision of a server. From then on, SIGHUP does not end the process: the server reloads its
  /// configuration once it is ready.
  package init(
    configuration: ServerConfiguration, log: LogOutput, notifier: ServiceNotifier?,
    read: @escaping @Sendable () throws(ConfigurationProblems) -> ServerConfiguration
  ) async {
    self.configuration = configuration
    self.log = log
    self.notifier = notifier
    self.read = read
    hangups = await UnixSignalsSequence(trapping: .sighup)
  }
}
