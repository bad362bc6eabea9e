import ArgumentParser

/// Whether NMEA 0183 sentences must carry a checksum.
enum ChecksumsArgument: String, ExpressibleByArgument, Hashable, Sendable, CaseIterable {
  /// Sentences without a checksum are skipped and counted.
  case required
  /// Sentences without a checksum are read. A wrong checksum is still an error.
  case optional
}
