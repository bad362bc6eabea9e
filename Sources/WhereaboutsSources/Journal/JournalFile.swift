import SystemPackage
public import Whereabouts
public import WhereaboutsCore
import WhereaboutsFormats

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// A journal in a file, as docs/journal.md describes it.
///
/// Each entry is appended with one write, and is then in the system's hands: a process that is killed, even by SIGKILL
/// between any two instructions, loses nothing that was written, and leaves at most one torn line at the end, which
/// readers pass over. The system itself writes to the disk when it sees fit: a power cut or a crash of the system can
/// lose the last seconds (about 30 on Linux), and on some file systems leave bytes of zero in their place.
///
/// The file is readable and writable by its owner alone, since it says where the device was. Copies of a value write to
/// the same file.
public struct JournalFile: InputJournal {
  /// Where it is.
  public let path: String
  private let file: OpenFile
  private var line: [UInt8] = []
  private var digester = EffectDigester()

  /// Makes a file for a journal.
  ///
  /// - Parameters:
  ///   - path: where. A device or a named pipe that is there already is written to as it is.
  ///   - replacing: whether a file that is there already may be replaced; otherwise that is a failure.
  /// - Throws: `SourceTrouble` where it can't be made.
  public init(path: String, replacing: Bool = false) throws(SourceTrouble) {
    self.path = path
    file = try OpenFile(path: path, replacing: replacing)
  }

  /// Writes the header.
  public mutating func begin(_ header: JournalHeader) throws(SourceTrouble) {
    line.removeAll(keepingCapacity: true)
    JournalForm.write(header, to: &line)
    try file.append(line)
  }

  /// Appends an entry.
  public mutating func write(_ input: Input, at now: Moment, effects: [Effect]) throws(SourceTrouble) {
    line.removeAll(keepingCapacity: true)
    let entry = JournalEntry(moment: now, input: input, digest: digester.digest(effects))
    JournalForm.write(entry, to: &line)
    try file.append(line)
  }
}

/// A file that is closed when nobody holds it any more.
private final class OpenFile: Sendable {
  private let path: String
  private let descriptor: FileDescriptor

  init(path: String, replacing: Bool) throws(SourceTrouble) {
    self.path = path
    do {
      descriptor = try FileDescriptor.open(
        FilePath(path), .writeOnly,
        options: replacing ? [.create, .append] : [.create, .exclusiveCreate, .append],
        permissions: .ownerReadWrite)
    } catch {
      throw Self.trouble(path, error)
    }
    guard replacing else { return }
    do { try Self.begin(anew: descriptor) } catch { throw Self.trouble(path, error) }
  }

  /// Empties a file that was there, which may have been open to others. A device has neither content nor a mode of ours.
  private static func begin(anew descriptor: FileDescriptor) throws {
    guard try descriptor.stat().type == .regular else { return }
    guard fchmod(descriptor.rawValue, 0o600) == 0 else { throw Errno(rawValue: errno) }
    try descriptor.resize(to: 0)
  }

  // Every write has been checked.
  deinit { try? descriptor.close() }

  func append(_ bytes: [UInt8]) throws(SourceTrouble) {
    do {
      try descriptor.writeAll(bytes)
    } catch {
      throw Self.trouble(path, error)
    }
  }

  private static func trouble(_ path: String, _ error: any Error) -> SourceTrouble {
    if error as? Errno == .fileExists {
      return SourceTrouble(.unwritable, message: "write \(path): it is there already")
    }
    let reason = "\(error)"
    return SourceTrouble(
      .unwritable, message: "write \(path): \(reason.prefix(1).lowercased())\(reason.dropFirst())")
  }
}
