public import WhereaboutsCore

extension NMEADecoder {
  /// How to read.
  public struct Options: Hashable, Sendable {
    /// A day before which the recording can't have been made, at midnight UTC; `nil` for none.
    ///
    /// Receivers that lost count of GPS weeks give dates that are whole rounds of 1024 weeks too early. Rounds are
    /// added until the date is not before this one. The standard value, 1999-08-22, is the first such rollover: it
    /// moves no recording made since. For a live receiver give a later day, such as the one the program was built on.
    public var notBefore: UTCTime? = UTCTime(CivilTime(year: 1999, month: 8, day: 22))

    /// The day on which the recording began, for recordings without a date; its time of day does not count.
    public var startDate: UTCTime?

    /// Whether a fix is given with the last sentence of the receiver's cycle, without waiting for the next instant.
    ///
    /// For live receivers. A sentence is known to be the last when it was so in two cycles in a row. Should more come
    /// after it, that is left out of the fix, and the cycle is learnt anew. Satellites in view don't count for it.
    public var endsEpochsEarly = false

    /// Whether ``RecordingElement/satellites(_:)`` are given.
    public var emitsSatellites = false

    /// Whether ``RecordingElement/heading(_:)`` are given.
    public var emitsHeadings = true

    /// Whether sentences without a checksum are read.
    ///
    /// NMEA 0183 has asked for checksums since version 3.0, and a line without one may have lost any part of itself, so
    /// they are refused and reported unless wanted.
    public var acceptsMissingChecksums = false

    /// What accuracy is estimated from where a receiver gives nothing but dilutions of precision.
    public var rangingErrors = RangingErrors()

    /// The standard way to read a recording.
    public init() {}
  }

  /// How far off a position is for each unit of dilution, by the kind of its solution.
  ///
  /// A dilution of precision times this is an accuracy. Receivers don't tell it, so these are typical figures for
  /// open sky, and accuracies made of them are marked as estimated. In streets and under trees the truth may be
  /// several times worse.
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

    /// The documented figures.
    public init() {}

    /// The figure for a solution; `nil` for those that no satellites were measured for.
    func meters(for solution: SolutionKind?) -> Double? {
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
