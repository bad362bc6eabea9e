extension String {
  /// The text as one word of a shell, between quotes if it needs them.
  package var shellQuoted: String {
    // Brackets are not plain: a shell may take them for a pattern of names of files.
    let isPlain = unicodeScalars.allSatisfy {
      ("a"..."z").contains($0) || ("A"..."Z").contains($0) || ("0"..."9").contains($0)
        || "/._-+,:@%".unicodeScalars.contains($0)
    }
    return isPlain && !isEmpty && !hasPrefix("-")
      ? self : "'\(split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''"))'"
  }
}
