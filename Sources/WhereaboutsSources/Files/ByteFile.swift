import SystemPackage
import WhereaboutsModel
import WhereaboutsFormats

/// A file, an entry of an archive, or standard input, read once from its beginning in chunks. Compressed bytes (gzip)
/// are inflated. The last reference closes the file.
final class ByteFile {
  /// Bytes of a chunk: large enough that system calls cost little, small enough to stay in the cache.
  static let chunkSize = 1 << 18

  /// The name in messages.
  let name: String
  /// The size in bytes, compressed if the file is; where known beforehand.
  let size: Int?
  /// The number of bytes read from the file so far, compressed if the file is.
  var consumed: Int { source.consumed }
  /// The damage at which the file ended early. Read it at the end.
  var damage: ByteDamage? { source.damage }
  /// Whether the end of damaged bytes is that of a file; otherwise ``next()`` throws.
  var toleratesDamage = false

  private var source: any ByteSource
  /// The limit of the bytes of an archive within another one.
  private let budget: InflationBudget?
  private let descriptor: FileDescriptor?
  private let ownsDescriptor: Bool
  private let buffer: UnsafeMutableRawBufferPointer
  /// Bytes at the beginning of the buffer that ``peek(_:)`` has read and ``next()`` has not returned.
  private var bufferedCount = 0

  /// Opens a path, or standard input for `-`.
  init(path: String) throws(SourceProblem) {
    ownsDescriptor = path != "-"
    name = ownsDescriptor ? path : "standard input"
    budget = nil
    do {
      let descriptor =
        ownsDescriptor ? try FileDescriptor.open(FilePath(path), .readOnly) : .standardInput
      self.descriptor = descriptor
      size = ownsDescriptor ? Self.size(of: descriptor) : nil
      source = DescriptorSource(descriptor, name: name)
      buffer = .allocate(byteCount: Self.chunkSize, alignment: 64)
    } catch let error as Errno where error == .permissionDenied || error == .notPermitted {
      throw SourceProblem(
        .notPermitted, message: "read \(path): permission denied", remedy: AccessRemedy(path: path)?.text)
    } catch {
      throw Self.problem(name, error)
    }
    try inflateIfCompressed()
  }

  /// Creates the bytes of a source.
  init(
    _ source: any ByteSource, name: String, size: Int?, budget: InflationBudget? = nil
  ) throws(SourceProblem) {
    self.name = name
    self.size = size
    self.source = source
    self.budget = budget
    descriptor = nil
    ownsDescriptor = false
    buffer = .allocate(byteCount: Self.chunkSize, alignment: 64)
    try inflateIfCompressed()
  }

  deinit {
    // Nothing was written, so a failure to close loses nothing.
    if ownsDescriptor { try? descriptor?.close() }
    buffer.deallocate()
  }

  /// Replaces a gzip file by its content. A file that ends within the signature of gzip is a gzip file that was cut: no
  /// recording begins with these bytes.
  private func inflateIfCompressed() throws(SourceProblem) {
    let signature: [UInt8] = [0x1F, 0x8B, 8]
    let opening = try peek(signature.count)
    guard !opening.isEmpty, signature.starts(with: opening) else { return }
    let head = PrefixedSource(Array(buffer[..<bufferedCount]), source)
    bufferedCount = 0
    source = try InflatingSource(head, .gzip, name: name)
  }

  /// Returns the archive that the file is; `nil` if it is none.
  ///
  /// - Throws: a `SourceProblem` for an archive that can't be read: from a pipe, damaged, or not genuine.
  func archive() throws(SourceProblem) -> ZipArchive? {
    guard ZipArchive.isArchive(try peek(4)) else { return nil }
    guard let descriptor, let size, source is DescriptorSource else {
      throw SourceProblem(
        .unreadable,
        message: descriptor == nil || !ownsDescriptor
          ? "read \(name): a zip archive can't be read from a pipe; save it as a file"
          : "read \(name): it is an archive within compressed data; unpack it first")
    }
    return try ZipArchive(ArchiveBytes(descriptor, size: Int64(size), owner: self), name: name)
  }

  /// Returns the next bytes, valid until the next call; empty at the end.
  func next() throws(SourceProblem) -> UnsafeRawBufferPointer {
    if bufferedCount > 0 {
      defer { bufferedCount = 0 }
      return UnsafeRawBufferPointer(rebasing: buffer[..<bufferedCount])
    }
    let count = try readSource(into: buffer)
    if count == 0, !toleratesDamage, let damage {
      throw SourceProblem(.unreadable, message: "read \(name): \(damage.rule)")
    }
    return UnsafeRawBufferPointer(rebasing: buffer[..<count])
  }

  /// Returns up to that many first bytes, which ``next()`` returns again. Call before ``next()``.
  func peek(_ count: Int) throws(SourceProblem) -> UnsafeRawBufferPointer {
    while bufferedCount < count {
      let more = try readSource(into: UnsafeMutableRawBufferPointer(rebasing: buffer[bufferedCount...]))
      if more == 0 { break }
      bufferedCount += more
    }
    return UnsafeRawBufferPointer(rebasing: buffer[..<min(bufferedCount, count)])
  }

  /// Returns the format of the recording by its first bytes; `nil` if unknown. Call before ``next()``.
  ///
  /// A pipe is not read beyond ``RecordingFormat/detectionLength``, since its sender may be slow.
  func detectFormat() throws(SourceProblem) -> RecordingFormat? {
    let opening = try peek(RecordingFormat.detectionLength)
    if let format = RecordingFormat.detect(opening) { return format }
    // Videos and images begin with a few zeros, too. A folder has thousands of them, and they are not read further.
    let isBeginningLong = opening.prefix(16).allSatisfy { $0 == 0 } || !opening.contains(UInt8(ascii: "\n"))
    guard size != nil, opening.count == RecordingFormat.detectionLength, isBeginningLong else { return nil }
    // A file that can't be read further has no format.
    return (try? peek(Self.chunkSize)).flatMap { RecordingFormat.detectAfterFirstLine($0) }
  }

  private func readSource(into buffer: UnsafeMutableRawBufferPointer) throws(SourceProblem) -> Int {
    let count = try source.read(into: buffer)
    if count > 0, let budget { try budget.spend(count, name: name) }
    return count
  }

  /// Returns a problem with the system's message, starting in lower case.
  static func problem(_ name: String, _ error: any Error) -> SourceProblem {
    if let problem = error as? SourceProblem { return problem }
    let reason = "\(error)"
    return SourceProblem(
      .unreadable,
      message: "read \(name.isEmpty ? "''" : name): \(reason.prefix(1).lowercased())\(reason.dropFirst())",
      remedy: error as? Errno == .isDirectory ? "Pass the path of a file." : nil)
  }

  /// Returns the size of a seekable file; `nil` for a pipe.
  private static func size(of descriptor: FileDescriptor) -> Int? {
    guard let end = try? descriptor.seek(offset: 0, from: .end),
      (try? descriptor.seek(offset: 0, from: .start)) != nil
    else { return nil }
    return Int(exactly: end)
  }
}

/// Bytes that were read ahead, then the rest of their source.
private final class PrefixedSource: ByteSource {
  private var head: ArraySlice<UInt8>
  private let base: any ByteSource
  var consumed: Int { base.consumed }
  var damage: ByteDamage? { base.damage }

  init(_ head: [UInt8], _ base: any ByteSource) {
    self.head = head[...]
    self.base = base
  }

  func read(into buffer: UnsafeMutableRawBufferPointer) throws(SourceProblem) -> Int {
    guard !head.isEmpty else { return try base.read(into: buffer) }
    let count = min(head.count, buffer.count)
    buffer.copyBytes(from: head.prefix(count))
    head = head.dropFirst(count)
    return count
  }
}
