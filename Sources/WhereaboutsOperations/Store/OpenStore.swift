package import Whereabouts
import WhereaboutsModel
package import WhereaboutsSources
package import WhereaboutsStore
import WhereaboutsUploadQueue

/// An open store, limited to one device.
package struct OpenStore: Sendable {
  package let base: SQLiteStore
  package let path: StorePath
  package let device: DeviceID

  package init(base: SQLiteStore, path: StorePath, device: DeviceID) {
    self.base = base
    self.path = path
    self.device = device
  }

  /// Opens a store for writing, and creates a missing store.
  package static func writing(_ selection: StoreSelection) throws(CommandError) -> OpenStore {
    let path = try selection.path(), device = selection.device ?? .this
    try requireNewDevice(device, at: path)
    let opened = try open(path, device, .readWrite)
    try opened.requireDevice(device)
    return opened
  }

  /// Opens an existing store for writing, as a removal does: the path of a missing store may be mistyped.
  ///
  /// - Throws: an error if the store does not exist.
  package static func writingExisting(_ selection: StoreSelection) throws(CommandError) -> OpenStore {
    try requireNewDevice(selection.device ?? .this, at: try selection.path())
    _ = try existingPath(selection)
    return try writing(selection)
  }

  /// Opens an existing store for an import; a dry run opens it for reading.
  ///
  /// - Parameter renames: the devices of the option `--rename`.
  /// - Returns: the store; `nil` if it does not exist.
  /// - Throws: an error if the store, also one that does not exist yet, can't have one of the devices.
  package static func importing(
    _ selection: StoreSelection, renames: [DeviceID], isDryRun: Bool
  ) throws(CommandError) -> OpenStore? {
    let path = try selection.path(), device = selection.device ?? .this
    try requireNewDevice(device, at: path)
    for other in renames { try requireNewDevice(other, at: path, option: "--rename") }
    guard path.exists else { return nil }
    let opened = try isDryRun ? open(path, device, .readOnly, converts: false) : writing(selection)
    try opened.requireDevice(device)
    for other in renames { try opened.requireDevice(other, option: "--rename") }
    return opened
  }

  /// Throws if the store can't have a device that an option names. A run would learn it only with its first fix.
  private func requireDevice(_ device: DeviceID, option: String = "--device") throws(CommandError) {
    let isAccepted: Bool
    do throws(StoreError) { isAccepted = try base.accepts(device) } catch { throw CommandError(error) }
    guard !isAccepted else { return }
    base.close()
    throw Self.refusal(of: device, option)
  }

  /// Throws if a store that does not exist yet can't have the device. No store is created for such a device.
  private static func requireNewDevice(
    _ device: DeviceID, at path: StorePath, option: String = "--device"
  ) throws(CommandError) {
    if !device.isValid, !path.exists { throw refusal(of: device, option) }
  }

  private static func refusal(of device: DeviceID, _ option: String) -> CommandError {
    CommandError("\(device.reasonOfInvalidity). Pass \(option) with another name.", code: .usage)
  }

  /// Opens a store for erasing, which works on a full disk.
  package static func erasing(_ selection: StoreSelection) throws(CommandError) -> OpenStore {
    let path = try selection.path()
    do throws(StoreError) {
      let base = try SQLiteStore.open(at: path.file, erasing: true, hook: nil)
      return OpenStore(base: base, path: path, device: selection.device ?? .this)
    } catch {
      throw erasingError(error, of: path)
    }
  }

  /// Returns the error of an erasure. The advice for a full disk is to erase, which has just failed.
  static func erasingError(_ error: StoreError, of path: StorePath) -> CommandError {
    guard error.code == .full else { return CommandError(error) }
    return CommandError(
      "could not erase from \(path.file): the disk is full, and the store has no reserve left. Free a megabyte, and run the command again."
    )
  }

  /// Opens a store to record a run; reports a full disk and returns `nil` if the disk has no room to open the store.
  ///
  /// - Parameter source: the source of the run. No store is created for a recording that can't be read.
  /// - Throws: an error with the remedy for a run without a store.
  package static func recording(
    _ selection: StoreSelection, of source: SourceName = .automatic
  ) throws(CommandError) -> OpenStore? {
    let path = try selection.path(), device = selection.device ?? .this
    try requireNewDevice(device, at: path)
    if !path.exists { try source.requireRecording() }
    let isEmpty = path.isEmptyFile, opened: OpenStore
    do throws(StoreError) {
      opened = OpenStore(base: try SQLiteStore.open(at: path.file), path: path, device: device)
    } catch {
      if error.code == .full {
        StandardError.print("whereabouts: \(error). Continuing; nothing of this run is stored.")
        return nil
      }
      let error = CommandError(error)
      let end = error.message.hasSuffix(".") ? "" : "."
      throw CommandError("\(error.message)\(end) Pass --no-store to run without a store.", code: error.code)
    }
    try opened.requireDevice(device)
    if isEmpty { path.reportEmptyFile() }
    return opened
  }

  /// Opens an existing store.
  ///
  /// - Parameter converts: whether a file of an older form may be converted.
  /// - Throws: an error if the store does not exist.
  package static func reading(_ selection: StoreSelection, converts: Bool = true) throws(CommandError)
    -> OpenStore
  {
    try open(try existingPath(selection), selection.device ?? .this, .readOnly, converts: converts)
  }

  /// Opens an existing store to read the past of a device. Without `--device`, this is the only device with data if
  /// `this` has none.
  ///
  /// - Parameter usageCounts: whether receiver usage alone is data.
  /// - Throws: an error if the store does not exist, or the device has no data and others have.
  package static func readingPast(
    _ selection: StoreSelection, usageCounts: Bool = false
  ) throws(CommandError) -> OpenStore {
    try reading(selection).withPastDevice(selection.device, usageCounts: usageCounts)
  }

  /// Opens an existing store to change the past of the device that ``readingPast(_:usageCounts:)`` selects.
  package static func writingPast(_ selection: StoreSelection) throws(CommandError) -> OpenStore {
    let past = try readingPast(selection)
    past.close()
    return try open(past.path, past.device, .readWrite)
  }

  /// Opens a store to write an endpoint, and creates a missing store. Without `--device`, the device is that of the
  /// replaced endpoint, or else the only one with data or receiver usage if `this` has none.
  ///
  /// - Parameter replaced: the name of the endpoint that is replaced if it exists; `nil` if none is replaced.
  /// - Throws: without a device, also an error if `this` has no data and several others have.
  package static func writingEndpoint(
    _ selection: StoreSelection, replacing replaced: String?
  ) throws(CommandError) -> OpenStore {
    let opened = try writing(selection)
    // A device that is given may have no data yet.
    guard selection.device == nil else { return opened }
    guard let replaced, let device = try opened.device(ofEndpoint: replaced) else {
      return try opened.withPastDevice(nil, usageCounts: true)
    }
    return OpenStore(base: opened.base, path: opened.path, device: device)
  }

  /// Returns the device of an endpoint; `nil` for every device, and for an unknown endpoint.
  private func device(ofEndpoint name: String) throws(CommandError) -> DeviceID? {
    do throws(StoreError) { return try base.endpoints().first { $0.name == name }?.device } catch {
      throw CommandError(error)
    }
  }

  private func withPastDevice(_ given: DeviceID?, usageCounts: Bool) throws(CommandError) -> OpenStore {
    do throws(CommandError) {
      return OpenStore(base: base, path: path, device: try pastDevice(given, usageCounts: usageCounts))
    } catch {
      close()
      throw error
    }
  }

  private func pastDevice(_ given: DeviceID?, usageCounts: Bool) throws(CommandError) -> DeviceID {
    let devices = try devicesWithPast(usageCounts: usageCounts)
    let device = given ?? .this
    if devices.contains(device) || devices.isEmpty { return device }
    if given == nil, devices.count == 1 { return devices[0] }
    throw CommandError(
      Self.missingDataMessage(of: device, among: devices), code: given == nil ? .usage : .failed)
  }

  /// Returns whether the device has data.
  func hasPast() throws(CommandError) -> Bool { try devicesWithPast(usageCounts: false).contains(device) }

  private func devicesWithPast(usageCounts: Bool) throws(CommandError) -> [DeviceID] {
    do throws(StoreError) { return try base.devicesWithPast(usageCounts: usageCounts) } catch {
      throw CommandError(error)
    }
  }

  private static func missingDataMessage(of device: DeviceID, among devices: [DeviceID]) -> String {
    let names = devices.prefix(20).map(\.rawValue).joined(separator: ", ") + (devices.count > 20 ? " …" : "")
    return "device \(device.rawValue) has no data; the store has \(names). Pass --device with one of them."
  }

  /// Returns the message that the device has no data, and which ones have; `nil` if the device has data, or none has.
  /// Fences of its own are data of a device too.
  package func missingDataMessage() throws(CommandError) -> String? {
    var devices: [DeviceID] = []
    do throws(StoreError) {
      let past = Set(try base.devicesWithPast())
      for device in try base.devices() {
        let fences = try base.ownFenceCount(of: device)
        if fences > 0 || past.contains(device) { devices.append(device) }
      }
    } catch {
      throw CommandError(error)
    }
    guard !devices.contains(device), !devices.isEmpty else { return nil }
    return Self.missingDataMessage(of: device, among: devices)
  }

  /// Returns the path of an existing store.
  ///
  /// - Throws: an error if the store does not exist.
  package static func existingPath(_ selection: StoreSelection) throws(CommandError) -> StorePath {
    let path = try selection.path()
    guard path.exists else { throw CommandError("no store exists at \(path.file)") }
    return path
  }

  /// Opens a store; returns `nil` if the store does not exist.
  ///
  /// - Parameter converts: whether a file of an older form may be converted.
  package static func readingIfThere(
    _ selection: StoreSelection, converts: Bool = true
  ) throws(CommandError) -> OpenStore? {
    let path = try selection.path()
    return path.exists ? try open(path, selection.device ?? .this, .readOnly, converts: converts) : nil
  }

  private static func open(
    _ path: StorePath, _ device: DeviceID, _ access: SQLiteStore.Access, converts: Bool = true
  ) throws(CommandError) -> OpenStore {
    let isEmpty = access == .readWrite && path.isEmptyFile
    do throws(StoreError) {
      let base =
        access == .readOnly && converts
        ? try SQLiteStore.openForReading(path.file) : try SQLiteStore.open(at: path.file, access: access)
      if isEmpty { path.reportEmptyFile() }
      return OpenStore(base: base, path: path, device: device)
    } catch {
      throw CommandError(error)
    }
  }

  /// Closes the file. The store is unusable afterwards.
  package func close() { base.close() }

  /// Runs a body with the store, and converts store errors to command errors.
  package func attempt<Result>(_ body: (SQLiteStore) throws -> Result) throws -> Result {
    do { return try body(base) } catch let problem as StoreError { throw CommandError(problem) }
  }
}

extension SQLiteStore {
  /// Opens a store for reading. A file of an older form is converted first, where it may be written.
  static func openForReading(_ path: String) throws(StoreError) -> SQLiteStore {
    do throws(StoreError) { return try open(at: path, access: .readOnly) } catch {
      guard error.code == .readOnly else { throw error }
      do throws(StoreError) { try open(at: path, access: .readWrite).close() } catch let failure {
        throw failure.code == .full ? failure : error
      }
      return try open(at: path, access: .readOnly)
    }
  }
}

extension CommandError {
  /// Creates the command error of a store error.
  package init(_ problem: StoreError) {
    switch problem.code {
    case .notPermitted, .readOnly: self.init("\(problem)", code: .notPermitted)
    default: self.init("\(problem)")
    }
  }
}
