import ArgumentParser

/// Whether sentences of NMEA 0183 need their checksum to be read.
enum ChecksumsArgument: String, ExpressibleByArgument, Hashable, Sendable, CaseIterable {
  /// One without it is passed over, and counted.
  case required
  /// One without it is read; a wrong one is wrong all the same.
  case optional
}
