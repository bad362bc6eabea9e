/// An XML document that grows by writes after each of which the file is a whole document.
///
/// A signal that kills a process can end a write between two pages of the file, and only there. Each write therefore
/// lies within one page. The end of the document moves over the border of a page in three writes:
///
/// 1. The rest of the page becomes space, which may follow a document.
/// 2. The next page begins with `<?x -->`, the end of the document and `<?x ?>`. After a document that is one
///    processing instruction.
/// 3. In the first page, elements and `<!--` replace the end of the document. The comment reaches to the `-->` of the
///    next page, so the end there is now that of the document.
///
/// The writes are values: the caller carries them out in their order.
package struct PagedDocument {
  /// Bytes that replace those of the file from an offset on.
  package struct Write: Equatable {
    package var offset: Int
    package var bytes: [UInt8]
  }

  /// The size of the smallest page; larger pages have a multiple of it.
  package static let pageSize = 4096

  private static let commentBegin = Array("<!--".utf8)
  private static let borderBegin = Array("<?x -->\n".utf8)
  private static let borderEnd = Array("<?x ?>\n".utf8)
  private static let space = UInt8(ascii: "\n")

  /// The offset of the end of the document, which the next elements overwrite.
  private var position = 0
  /// The size of the file.
  private var size = 0

  /// Creates a document without elements, for an empty file.
  package init() {}

  /// Returns the writes that append elements.
  ///
  /// - Parameters:
  ///   - elements: the bytes of each element. With the ending, an element is shorter than a page.
  ///   - ending: the end of the document after any of these elements, of at least four bytes.
  package mutating func append(_ elements: [ArraySlice<UInt8>], ending: [UInt8]) -> [Write] {
    precondition(ending.count >= Self.commentBegin.count)
    var writes: [Write] = [], rest = elements[...]
    while let next = rest.first {
      if next.count + ending.count <= room {
        let fitting = Self.takeFitting(&rest, in: room - ending.count)
        writes.append(write(fitting + ending))
        position += fitting.count
      } else {
        precondition(next.count + ending.count + Self.borderBegin.count <= Self.pageSize)
        writes += moveToNextPage(&rest, ending)
      }
    }
    return writes
  }

  /// The bytes from the end of the document to the end of its page.
  private var room: Int { Self.pageSize - position % Self.pageSize }

  private mutating func moveToNextPage(
    _ elements: inout ArraySlice<ArraySlice<UInt8>>, _ ending: [UInt8]
  ) -> [Write] {
    // An empty file has no end that could move.
    let spaced = write(Self.padded(ending, to: room))
    let border = position + room
    let next = Write(offset: border, bytes: Self.borderBegin + ending + Self.borderEnd)
    size = border + next.bytes.count
    let fitting = Self.takeFitting(&elements, in: room - Self.commentBegin.count)
    let moved = Write(offset: position, bytes: Self.padded(fitting + Self.commentBegin, to: room))
    position = border + Self.borderBegin.count
    return [spaced, next, moved]
  }

  /// Returns a write at the end of the document that overwrites all previous bytes there.
  private mutating func write(_ bytes: [UInt8]) -> Write {
    let write = Write(offset: position, bytes: Self.padded(bytes, to: size - position))
    size = position + write.bytes.count
    return write
  }

  private static func padded(_ bytes: [UInt8], to count: Int) -> [UInt8] {
    bytes + [UInt8](repeating: space, count: max(0, count - bytes.count))
  }

  /// Removes the first elements that fit, and returns their bytes.
  private static func takeFitting(
    _ elements: inout ArraySlice<ArraySlice<UInt8>>, in room: Int
  ) -> [UInt8] {
    var bytes: [UInt8] = []
    while let next = elements.first, bytes.count + next.count <= room {
      bytes += next
      elements.removeFirst()
    }
    return bytes
  }
}
