import Foundation
import Whereabouts
import WhereaboutsEngine
import WhereaboutsModel

extension AlertFileContent {
  /// Returns the settings.
  ///
  /// - Parameter folder: the folder of other files, with a slash at its end.
  func settings(folder: String) throws(SettingsFile.ParseError) -> AlertSettings {
    var settings = AlertSettings()
    for (name, content) in channels.sorted(by: { $0.key < $1.key }) {
      settings.channels.append(try content.channel(name, folder: folder))
      if let file = content.secretFile,
        let warning = SecretFile.warning(of: ChannelContent.path(file, folder))
      {
        settings.warnings.append("channels.\(name).secretFile: \(warning)")
      }
    }
    for group in groups.sorted(by: { $0.key < $1.key }) where group.value.isEmpty {
      throw SettingsFile.ParseError(message: "groups.\(group.key): The group has no fence.")
    }
    var names: Set<String> = []
    for (index, content) in alerts.enumerated() {
      let place = "alerts[\(index)]"
      guard !content.name.isEmpty, names.insert(content.name).inserted else {
        throw SettingsFile.ParseError(message: "\(place).name: Every alert needs a name of its own.")
      }
      if let unknown = content.channels.first(where: { channels[$0] == nil }) {
        throw SettingsFile.ParseError(
          message: "\(place).channels: There is no channel \"\(unknown)\" under \"channels\".")
      }
      guard !content.channels.isEmpty, Set(content.channels).count == content.channels.count else {
        throw SettingsFile.ParseError(message: "\(place).channels: Name at least one channel, each once.")
      }
      settings.alerts.append(
        AlertSettings.Entry(
          alert: try content.alert(place, groups: groups), channels: content.channels,
          sendsCorrections: content.corrections))
    }
    return settings
  }
}

extension AlertContent {
  /// Returns the alert.
  ///
  /// - Parameter place: the place in the file, for messages.
  fileprivate func alert(
    _ place: String, groups: [String: [FenceID]]
  ) throws(SettingsFile.ParseError) -> Alert {
    var alert = Alert(name: name, steps: try allSteps(place, groups: groups))
    if let devices {
      guard !devices.isEmpty else {
        throw SettingsFile.ParseError(message: "\(place).devices: Name a device, or leave this out for all.")
      }
      alert.devices = Set(devices)
    }
    alert.combinesDevices = together
    alert.hours = hours
    alert.quietHours = quietHours
    alert.holdsInQuietHours = holdsInQuietHours
    alert.coolDown = coolDown
    alert.maximumAge = maximumAge
    return alert
  }

  private func allSteps(
    _ place: String, groups: [String: [FenceID]]
  ) throws(SettingsFile.ParseError) -> [Alert.Step] {
    guard let steps else {
      guard let fences, let events else {
        throw SettingsFile.ParseError(
          message: "\(place): \"fences\" and \"events\" are missing, or \"steps\" for a sequence.")
      }
      return [try Self.step(fences, events, within: nil, "\(place).fences", groups, together)]
    }
    guard fences == nil, events == nil, !steps.isEmpty else {
      throw SettingsFile.ParseError(
        message: "\(place).steps: A sequence has its fences and events in its steps, and at least one step.")
    }
    guard steps[0].within == nil else {
      throw SettingsFile.ParseError(
        message: "\(place).steps[0].within: The first step has no limit. Give it to the later ones.")
    }
    var all: [Alert.Step] = []
    for (index, step) in steps.enumerated() {
      let fences = "\(place).steps[\(index)].fences"
      all.append(try Self.step(step.fences, step.events, within: step.within, fences, groups, together))
    }
    return all
  }

  private static func step(
    _ names: [String], _ kinds: Set<FenceEvent.Kind>, within: Duration?, _ place: String,
    _ groups: [String: [FenceID]], _ isTogether: Bool
  ) throws(SettingsFile.ParseError) -> Alert.Step {
    guard !names.isEmpty else {
      throw SettingsFile.ParseError(message: "\(place): Name a fence or a group.")
    }
    let places = names.map { name in
      groups[name].map { Alert.Place(name: name, fences: Set($0)) } ?? Alert.Place(FenceID(name))
    }
    let isGroup = isTogether || places.contains { $0.fences.count > 1 }
    guard !isGroup || !kinds.contains(.dwell) else {
      throw SettingsFile.ParseError(
        message: "\(place): A group, or devices together, have no dwell. Name single fences.")
    }
    return Alert.Step(places: places, kinds: kinds, within: within)
  }
}

extension ChannelContent {
  /// The shortest key of a signature in bytes.
  private static let shortestKey = 16

  /// Returns the channel.
  fileprivate func channel(
    _ name: String, folder: String
  ) throws(SettingsFile.ParseError) -> NotificationChannel {
    let place = "channels.\(name)"
    let kind: NotificationChannel.Kind
    switch (webhook, command) {
    case (let url?, nil): kind = .webhook(try self.webhook(url, place, folder: folder))
    case (nil, let command?):
      guard secretFile == nil, format == nil, caFile == nil else {
        throw SettingsFile.ParseError(
          message: "\(place): \"secretFile\", \"format\" and \"caFile\" belong to a webhook.")
      }
      kind = .command(try Self.checked(command, "\(place).command"))
    default:
      throw SettingsFile.ParseError(message: "\(place): A channel has either \"webhook\" or \"command\".")
    }
    var channel = NotificationChannel(name: name, kind: kind, timeout: timeout ?? .seconds(20))
    if let places { channel.places = places }
    if let giveUpAfter { channel.givesUpAfter = giveUpAfter }
    return channel
  }

  private func webhook(
    _ url: String, _ place: String, folder: String
  ) throws(SettingsFile.ParseError) -> NotificationChannel.Webhook {
    guard let parsed = URL(string: url), let host = parsed.host, !host.isEmpty, parsed.user == nil,
      ["http", "https"].contains(parsed.scheme?.lowercased() ?? "")
    else {
      throw SettingsFile.ParseError(
        message: "\(place).webhook: This must be a URL without a user, as in https://example.org/hook.")
    }
    var webhook = NotificationChannel.Webhook(url: url)
    webhook.format = format ?? .json
    if let secretFile { webhook.key = try Self.key(inFile: Self.path(secretFile, folder), place) }
    if let caFile {
      let path = Self.path(caFile, folder)
      do throws(FileReadError) { _ = try readFile(path, upTo: 1) } catch {
        throw SettingsFile.ParseError(message: "\(place).caFile: The file can't be read: \(error.reason).")
      }
      webhook.authorities = path
    }
    return webhook
  }

  fileprivate static func path(_ name: String, _ folder: String) -> String {
    name.hasPrefix("/") ? name : folder + name
  }

  /// Returns the key of a signature: the decoded rest of `whsec_…`, or the text itself.
  private static func key(inFile path: String, _ place: String) throws(SettingsFile.ParseError) -> [UInt8] {
    let text: String
    do throws(SecretFile.ReadError) { text = try SecretFile.firstLine(of: path) } catch {
      throw SettingsFile.ParseError(message: "\(place).secretFile: \(error.text)")
    }
    let prefix = "whsec_"
    let key =
      text.hasPrefix(prefix)
      ? Data(base64Encoded: String(text.dropFirst(prefix.count))).map { Array($0) } : Array(text.utf8)
    guard let key, key.count >= shortestKey else {
      throw SettingsFile.ParseError(
        message: """
          \(place).secretFile: The secret must have at least \(shortestKey) bytes, as \
          "echo whsec_$(openssl rand -base64 32)" makes them.
          """)
    }
    return key
  }

  private static func checked(
    _ command: [String], _ place: String
  ) throws(SettingsFile.ParseError) -> [String] {
    guard let program = command.first, program.hasPrefix("/") else {
      throw SettingsFile.ParseError(
        message:
          "\(place): The first text must be the path of a program from the root on, as in /usr/bin/logger.")
    }
    guard access(program, X_OK) == 0 else {
      let reason = String(cString: strerror(errno))
      throw SettingsFile.ParseError(message: "\(place): \(program) can't be run: \(reason).")
    }
    for argument in command.dropFirst() {
      if let unknown = NotificationText.unknownPlaceholder(in: argument) {
        let known = NotificationText.placeholders.map { "{\($0)}" }.joined(separator: ", ")
        throw SettingsFile.ParseError(
          message: "\(place): There is no {\(unknown)}. There are \(known).")
      }
    }
    return command
  }
}
