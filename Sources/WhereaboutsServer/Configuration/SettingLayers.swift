import Configuration
import Synchronization

/// The values of all settings from flags, environment and file. A flag outweighs a variable, a variable outweighs the
/// file.
struct SettingLayers {
  /// The layers in the order of their weight.
  private let layers: [[ServerSetting: SettingValue]]
  private let reader: ConfigReader
  private let reporter = LayerReporter()

  init(
    flags: [ServerSetting: SettingValue], environment: [ServerSetting: SettingValue],
    file: [ServerSetting: SettingValue]
  ) {
    layers = [flags, environment, file]
    reader = ConfigReader(
      providers: zip(["flags", "environment", "file"], layers).map { name, values in
        InMemoryProvider(
          name: name,
          values: Dictionary(
            uniqueKeysWithValues: values.map {
              (AbsoluteConfigKey(Self.key(of: $0.key)), ConfigValue(.string($0.value.text), isSecret: false))
            }))
      }, accessReporter: reporter)
  }

  /// The value in force of each setting that is set.
  var values: [ServerSetting: SettingValue] {
    var values: [ServerSetting: SettingValue] = [:]
    for setting in ServerSetting.allCases {
      guard let text = reader.string(forKey: Self.key(of: setting)), let layer = reporter.layer,
        let origin = layers[layer][setting]?.origin
      else { continue }
      values[setting] = SettingValue(text, origin)
    }
    return values
  }

  private static func key(of setting: ServerSetting) -> ConfigKey {
    ConfigKey([setting.rawValue.lowercased()])
  }
}

/// The layer of the last value.
private final class LayerReporter: AccessReporter {
  private let state = Mutex<Int?>(nil)

  var layer: Int? { state.withLock { $0 } }

  func report(_ event: AccessEvent) {
    // Providers are asked in order until one has the value.
    let layer = event.providerResults.firstIndex { (try? $0.result.get().value) != nil }
    state.withLock { $0 = layer }
  }
}
