import Foundation

extension ServerConfiguration.Input {
  /// The configuration file and the flags as arguments of a program that runs in another folder: paths are absolute.
  ///
  /// A file that the environment names is among them, unlike the environment's other settings.
  package var arguments: [String] {
    let file = file ?? ConfigurationEnvironment(environment).file
    var arguments = file.map { ["--config", Self.absolute($0)] } ?? []
    for setting in ServerSetting.allCases {
      guard let value = flags[setting], case .flag(let flag) = value.origin else { continue }
      let text = Self.absolute(value.text, of: setting)
      if flag.hasPrefix("--set ") {
        arguments += ["--set", "\(setting.rawValue)=\(text)"]
      } else if setting == .plainHTTP || setting == .logJSON {
        arguments.append(flag)
      } else {
        arguments += [flag, text]
      }
    }
    return arguments
  }

  /// Returns the value of a setting with an absolute path, if it has a path.
  private static func absolute(_ text: String, of setting: ServerSetting) -> String {
    switch setting {
    case .store, .tlsCertificate, .tlsKey, .alerts, .phones, .mqttPasswordFile, .mqttCAFile: absolute(text)
    case .socket where text.contains("/"): absolute(text)
    case .source: absoluteSources(text)
    default: text
    }
  }

  /// Returns sources with absolute paths of their recordings and receivers. Settings such as `?speed=20` may follow a path.
  package static func absoluteSources(_ text: String) -> String {
    let here = FileManager.default.currentDirectoryPath
    func absolute(_ source: Substring, after kind: String) -> String? {
      let path = source.dropFirst(kind.count)
      guard source.hasPrefix(kind), !path.isEmpty, path != "-" else { return nil }
      guard !["/", "tcp:", "udp:"].contains(where: { path.hasPrefix($0) }) else { return nil }
      return "\(kind)\(here)/\(path)"
    }
    // The name of a recording may contain commas.
    if text.hasPrefix("replay:") { return absolute(text[...], after: "replay:") ?? text }
    return text.split(separator: ",", omittingEmptySubsequences: false).map { part in
      let source = part.drop { $0 == " " }
      return absolute(source, after: "nmea:") ?? String(source)
    }.joined(separator: ",")
  }

  /// Returns the absolute path of a file.
  package static func absolute(_ path: String) -> String {
    path.hasPrefix("/") ? path : URL(filePath: path).standardizedFileURL.path
  }
}
