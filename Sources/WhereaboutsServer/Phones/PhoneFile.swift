package import Whereabouts
package import WhereaboutsFormats

/// The settings of phones, by their devices.
package struct PhonesSettings: Hashable, Sendable {
  /// The settings of a phone.
  package struct Phone: Hashable, Sendable {
    /// The settings for reading its requests.
    package var reading = PhoneSettings()
    /// The key of its encrypted messages, of 32 bytes; `nil` if they can't be opened.
    package var key: [UInt8]?
  }

  /// The phones that have settings.
  package var phones: [DeviceID: Phone] = [:]
  /// The dangers of the file, with their places and remedies.
  package var warnings: [String] = []

  /// Creates an empty value without settings.
  package init() {}
}

/// A file of the settings of phones; docs/phones.md describes its form.
package enum PhoneFile {
  /// Reads a file. Other files that it names are relative to its folder.
  package static func settings(atPath path: String) throws(SettingsFile.ParseError) -> PhonesSettings {
    let (content, folder) = try SettingsFile.content(PhoneFileContent.self, atPath: path)
    var settings = PhonesSettings()
    for (name, phone) in content.phones.sorted(by: { $0.key < $1.key }) {
      settings.phones[DeviceID(name)] = try phone.settings("phones.\(name)", folder: folder)
      if let warning = phone.passphrasePath(folder: folder).flatMap(SecretFile.warning) {
        settings.warnings.append("phones.\(name).passphraseFile: \(warning)")
      }
    }
    return settings
  }
}

/// The content of a file, as it is written.
private struct PhoneFileContent: Decodable {
  private enum Key: String, CodingKey, CaseIterable { case phones }

  var phones: [String: PhoneContent]

  init(from decoder: any Decoder) throws {
    phones = try decoder.strictContainer(Key.self).decode([String: PhoneContent].self, forKey: .phones)
  }
}

/// A phone, as it is written.
private struct PhoneContent: Decodable {
  private enum Key: String, CodingKey, CaseIterable { case speedUnit, passphraseFile }

  var speedUnit: PhoneSettings.SpeedUnit?
  var passphraseFile: String?

  init(from decoder: any Decoder) throws {
    let values = try decoder.strictContainer(Key.self)
    speedUnit = try values.choice(.speedUnit)
    passphraseFile = try values.decodeIfPresent(String.self, forKey: .passphraseFile)
  }

  /// Returns the settings.
  ///
  /// - Parameters:
  ///   - place: the place in the file, for messages.
  ///   - folder: the folder of other files, with a slash at its end.
  func settings(_ place: String, folder: String) throws(SettingsFile.ParseError) -> PhonesSettings.Phone {
    var phone = PhonesSettings.Phone()
    phone.reading.speedUnit = speedUnit
    guard let path = passphrasePath(folder: folder) else { return phone }
    let place = "\(place).passphraseFile"
    guard SecretBox.isAvailable else {
      throw SettingsFile.ParseError(
        message: "\(place): This program was built without the package trait PhoneEncryption.")
    }
    do throws(SecretFile.ReadError) {
      phone.key = try Self.key(ofPassphrase: SecretFile.firstLine(of: path), place)
    } catch {
      throw SettingsFile.ParseError(message: "\(place): \(error.text)")
    }
    return phone
  }

  /// Returns the path of the passphrase's file; `nil` for none.
  func passphrasePath(folder: String) -> String? {
    passphraseFile.map { $0.hasPrefix("/") ? $0 : folder + $0 }
  }

  /// Returns the key of a passphrase: its bytes, padded with zeros as the apps do.
  private static func key(
    ofPassphrase text: String, _ place: String
  ) throws(SecretFile.ReadError) -> [UInt8] {
    let bytes = Array(text.utf8)
    guard bytes.count <= SecretBox.keyLength else {
      throw SecretFile.ReadError(
        text: "The passphrase has \(bytes.count) bytes. OwnTracks takes at most \(SecretBox.keyLength).")
    }
    return bytes + [UInt8](repeating: 0, count: SecretBox.keyLength - bytes.count)
  }
}
