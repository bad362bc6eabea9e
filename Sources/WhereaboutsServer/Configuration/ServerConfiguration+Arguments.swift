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
    let replay = "replay:"
    return switch setting {
    case .store, .tlsCertificate, .tlsKey, .alerts, .phones, .mqttPasswordFile, .mqttCAFile: absolute(text)
    case .socket where text.contains("/"): absolute(text)
    // Settings such as `?speed=20` may follow the path.
    case .source where text.hasPrefix(replay) && !text.hasPrefix("\(replay)/"):
      "\(replay)\(FileManager.default.currentDirectoryPath)/\(text.dropFirst(replay.count))"
    default: text
    }
  }

  /// Returns the absolute path of a file.
  package static func absolute(_ path: String) -> String {
    path.hasPrefix("/") ? path : URL(filePath: path).standardizedFileURL.path
  }
}
