public import WhereaboutsModel

extension NMEADecoder {
  /// Options of the decoder.
  public struct Options: Hashable, Sendable {
    /// A day before which the recording can't have been made, at midnight UTC; `nil` for none.
    ///
    /// Receivers that lost count of GPS weeks give dates that are whole rounds of 1024 weeks too early. The decoder
    /// adds rounds until the date is not before this one. The default, 1999-08-22, is the first such rollover and
    /// moves no recording made since. For a live receiver set a later day, such as the program's build date.
    public var notBefore: UTCTime? = UTCTime(CivilTime(year: 1999, month: 8, day: 22))

    /// The day on which a recording without dates began; the time of day is ignored.
    public var startDate: UTCTime?

    /// Whether a fix is given with the last sentence of the receiver's cycle, without waiting for the next instant.
    ///
    /// For live receivers. A sentence counts as the last after two cycles in a row that ended with it. If more
    /// sentences follow, the fix lacks them, and the decoder learns the cycle anew. Satellites in view don't count.
    public var endsEpochsEarly = false

    /// Whether the decoder emits ``RecordingElement/satellites(_:)``.
    public var emitsSatellites = false

    /// Whether the decoder emits ``RecordingElement/heading(_:)``.
    public var emitsHeadings = true

    /// Whether sentences without a checksum are read.
    ///
    /// NMEA 0183 has required checksums since version 3.0. A line without one may have lost any part, so by default
    /// it is refused and reported.
    public var acceptsMissingChecksums = false

    /// The figures for accuracies from dilutions of precision, where a receiver states nothing else.
    public var rangingErrors = RangingErrors()

    /// Creates the default options for a recording.
    public init() {}
  }

  /// The position error for each unit of dilution, by the kind of solution.
  ///
  /// A dilution of precision times this is an accuracy. Receivers don't state the figure. These are typical figures
  /// for open sky, and accuracies from them are marked as estimated. In streets and under trees the error may be
  /// several times larger.
  ///
  /// - Units: metres at 68 %.
  public struct RangingErrors: Hashable, Sendable {
    /// Satellites alone: as for every format that gives dilutions, 5 m.
    public var autonomous = RangingError.meters
    /// With differential or satellite-based corrections: 2.5 m.
    ///
    /// - Source: data sheets of single-frequency receivers (u-blox 8 among them) state 2.0 m at 50 % with such
    ///   corrections, under open sky, where the horizontal dilution is near 1; that is 2.6 m at 68 %.
    public var differential = 2.5
    /// Carrier phase with floating ambiguities: 0.4 m, decimetres by definition.
    public var rtkFloat = 0.4
    /// Carrier phase with fixed ambiguities: 0.02 m, centimetres by definition.
    public var rtkFixed = 0.02

    /// Creates the default figures.
    public init() {}

    /// Returns the figure for a solution; `nil` for solutions without satellite ranges.
    func meters(for solution: Fix.SolutionKind?) -> Double? {
      switch solution {
      case .autonomous, .precise, .satellitesAndDeadReckoning, nil: autonomous
      case .differential: differential
      case .rtkFloat: rtkFloat
      case .rtkFixed: rtkFixed
      case .deadReckoning, .fixedPosition, .simulated: nil
      }
    }
  }
}
