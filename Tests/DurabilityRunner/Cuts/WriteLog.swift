import FaultyDisk
import Foundation

/// All writes of a process to its database, in order.
struct WriteLog {
  struct Entry {
    var operation: UInt8
    var file: UInt8
    var offset: UInt64
    var bytes: [UInt8]
  }

  static let write = UInt8(FAULTY_DISK_WRITE)
  static let sync = UInt8(FAULTY_DISK_SYNC)
  static let truncate = UInt8(FAULTY_DISK_TRUNCATE)
  static let delete = UInt8(FAULTY_DISK_DELETE)
  static let mark = UInt8(FAULTY_DISK_MARK)

  private(set) var entries: [Entry] = []

  init(path: String) throws {
    let data = try Data(contentsOf: URL(fileURLWithPath: path))
    data.withUnsafeBytes { bytes in
      let size = MemoryLayout<faulty_disk_record_header>.size
      var place = 0
      while place + size <= bytes.count {
        let header = bytes.loadUnaligned(fromByteOffset: place, as: faulty_disk_record_header.self)
        place += size
        guard place + Int(header.length) <= bytes.count else { break }
        let content = Array(bytes[place..<place + Int(header.length)])
        entries.append(
          Entry(operation: header.operation, file: header.file, offset: header.offset, bytes: content))
        place += Int(header.length)
      }
    }
  }
}
