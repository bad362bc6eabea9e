import Whereabouts
import WhereaboutsCore
import WhereaboutsStore

/// A store that a command has opened, as far as it is about one device.
struct OpenStore: Sendable {
  let base: SQLiteStore
  let path: StorePath
  let device: DeviceID

  /// Opens a store to write into, and makes it where it is missing.
  static func writing(_ options: StoreOptions) throws(CommandFailure) -> OpenStore {
    try open(try options.path(), options.device ?? .this, .readWrite)
  }

  /// Opens a store to keep what comes.
  ///
  /// - Throws: where that can't be done, with the way to go without.
  static func keeping(_ options: StoreOptions) throws(CommandFailure) -> OpenStore {
    do throws(CommandFailure) { return try writing(options) } catch {
      throw CommandFailure("\(error.message). --no-store goes without", code: error.code)
    }
  }

  /// Opens a store that is there.
  ///
  /// - Throws: where there is none.
  static func reading(_ options: StoreOptions) throws(CommandFailure) -> OpenStore {
    guard let store = try readingIfThere(options) else {
      throw CommandFailure("there is no store yet: \(try options.path().file) is not there")
    }
    return store
  }

  /// Opens a store if it is there.
  static func readingIfThere(_ options: StoreOptions) throws(CommandFailure) -> OpenStore? {
    let path = try options.path()
    return path.exists ? try open(path, options.device ?? .this, .readOnly) : nil
  }

  private static func open(
    _ path: StorePath, _ device: DeviceID, _ access: SQLiteStore.Access
  ) throws(CommandFailure) -> OpenStore {
    do throws(StoreTrouble) {
      return OpenStore(
        base: try SQLiteStore.open(at: path.file, access: access), path: path, device: device)
    } catch {
      throw CommandFailure(error)
    }
  }

  /// Lets go of the file; nothing can be done with the store from then on.
  func close() { base.close() }

  /// Does something with the store, its trouble being that of the command.
  func attempt<Result>(_ body: (SQLiteStore) throws -> Result) throws -> Result {
    do { return try body(base) } catch let trouble as StoreTrouble { throw CommandFailure(trouble) }
  }
}

extension CommandFailure {
  /// What a store's trouble means for a command that can't go on.
  init(_ trouble: StoreTrouble) {
    switch trouble.code {
    case .notPermitted, .readOnly: self.init("\(trouble)", code: .notPermitted)
    default: self.init("\(trouble)")
    }
  }
}
