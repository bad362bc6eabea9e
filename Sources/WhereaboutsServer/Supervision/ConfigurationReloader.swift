import Logging
import Whereabouts

/// The reloading of the configuration of a server that runs.
actor ConfigurationReloader {
  /// The outcome of a reload.
  struct Outcome: Equatable {
    /// The settings whose new values are in force.
    var changed: [ServerSetting] = []
    /// The settings whose new values need a restart.
    var needsRestart: [ServerSetting] = []
    /// The number of fences that commands added to single devices, and that all devices have now.
    var adoptedFences = 0
  }

  private let supervision: ServerSupervision
  private let core: ServerCore
  private let tls: TLSContexts?
  /// The configuration whose live settings are in force.
  private var current: ServerConfiguration

  init(_ supervision: ServerSupervision, core: ServerCore, tls: TLSContexts?) {
    self.supervision = supervision
    self.core = core
    self.tls = tls
    current = supervision.configuration
  }

  /// Reads the configuration again, and applies the settings that can change in a running server.
  ///
  /// - Throws: every problem of the new configuration. The old one stays in force.
  func reload() async throws(ConfigurationProblems) -> Outcome {
    supervision.notifier?.send(.reloading)
    defer { supervision.notifier?.send(.ready) }
    let next: ServerConfiguration
    do throws(ConfigurationProblems) { next = try supervision.read() } catch {
      for problem in error.all {
        core.logger.error("configuration not reloaded", metadata: ["problem": "\(problem)"])
      }
      throw error
    }
    var outcome = apply(next)
    outcome.adoptedFences = await adoptFences()
    log(outcome)
    return outcome
  }

  private func apply(_ next: ServerConfiguration) -> Outcome {
    var outcome = Outcome()
    for setting in current.changes(to: next) {
      if setting.isLive, !setting.isForTLS || tls != nil { outcome.changed.append(setting) }
    }
    // A value that needs a restart is reported at each reload until then.
    outcome.needsRestart = supervision.configuration.changes(to: next).filter {
      !$0.isLive || ($0.isForTLS && (tls == nil || next.settings.tls == nil))
    }
    supervision.log.level = next.logLevel
    core.liveLimits.set(live: next.settings.limits)
    core.phones.set(next.settings.phones)
    core.authenticator.set(next.settings.trustedProxies)
    if let files = next.settings.tls { reloadTLS(files) }
    current = next
    return outcome
  }

  /// Loads the certificate again if its files have changed.
  func reloadTLS(_ files: ServerSettings.TLSFiles? = nil) {
    guard let tls else { return }
    do throws(TLSPairError) {
      if try tls.reload(files) { core.logger.notice("TLS certificate reloaded") }
    } catch {
      core.logger.error(
        "TLS certificate not reloaded; the old one stays",
        metadata: ["setting": "\(error.setting.rawValue)", "problem": "\(error.text)"])
    }
  }

  private func adoptFences() async -> Int {
    do { return try await core.fences.adoptOwnFences() } catch {
      core.logger.error("fences not reloaded", metadata: ["code": "\(error.code)"])
      return 0
    }
  }

  private func log(_ outcome: Outcome) {
    func names(_ settings: [ServerSetting]) -> Logger.MetadataValue {
      "\(settings.map(\.rawValue).joined(separator: ","))"
    }
    core.logger.notice("configuration reloaded", metadata: ["changed": names(outcome.changed)])
    if !outcome.needsRestart.isEmpty {
      core.logger.warning(
        "settings need a restart of the server", metadata: ["settings": names(outcome.needsRestart)])
    }
    if outcome.adoptedFences > 0 {
      core.logger.notice(
        "fences of single devices became the server's", metadata: ["count": "\(outcome.adoptedFences)"])
    }
  }
}

extension ServerSetting {
  /// Whether the setting names a file of TLS. A server that began without TLS can't begin it later.
  fileprivate var isForTLS: Bool { self == .tlsCertificate || self == .tlsKey }
}
