import ArgumentParser

/// Rejects files of which more than one is standard input, which can be read only once.
///
/// - Parameter fences: the file of the fences, if there is one.
func requireOneStandardInput(_ files: [String], fences: String? = nil) throws {
  if fences == "-", files.contains("-") {
    throw ValidationError("only one of the fences and the recording can be on standard input")
  }
  if files.count(where: { $0 == "-" }) > 1 {
    throw ValidationError("- can be given only once: standard input is one recording")
  }
}
