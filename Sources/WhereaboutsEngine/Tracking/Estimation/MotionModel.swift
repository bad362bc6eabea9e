package import WhereaboutsModel

/// The assumptions about the motion of devices and the errors of receivers, before any fix.
///
/// No number is fitted to a recording. Each is from the literature, from the statements of receivers' makers, a round
/// number within a measured range, or a plain convention of statistics, unless its comment calls it a choice without a
/// source. Decision record 10 gives the sources. Halving or doubling a number changes the mean error by a fifth at most,
/// except doubling ``sureMovementDeviations``.
package struct MotionModel: Sendable, Hashable {
  package init() {}

  /// The way in which the device is carried; ``init(_:)`` sets the numbers of the model accordingly.
  package var activity = Activity.other

  // MARK: Receiver errors

  /// The time constant of a fix's correlated error, in seconds: the time in which it decays to 1/e.
  ///
  /// Errors longer than a moment last from seconds (reflections, in a moving car; the receiver's own filter) to many
  /// minutes (reflections at rest; the atmosphere and the satellites' orbits and clocks, for which see Olynik et al.,
  /// "Temporal variability of GPS error sources and their effect on relative positioning accuracy", *ION NTM* 2002). A
  /// minute is a round number between.
  package var errorMemory = 60.0
  /// The initial share of a fix's variance that is uncorrelated with other fixes, before it is measured: a guess that a
  /// few fixes replace.
  package var initialUncorrelatedShare = 0.3
  /// The rate at which the uncorrelated share follows the measurements, as a multiple of the usual rate; 0 keeps the
  /// share.
  package var uncorrelatedShareGain = 1.0
  /// The radius in metres, at 68 %, of a fix that states none. Phones under open sky are typically within 4.9 m (van
  /// Diggelen and Enge, "The world's first GPS MOOC and worldwide laboratory using smartphones", *ION GNSS+* 2015);
  /// read as 95 %, that is 3 m at 68 %.
  package var unstatedAccuracy = 3.0
  /// The standard deviation in m/s of a speed stated without an accuracy. Makers state 0.05 m/s under open sky
  /// (u-blox's data sheets, at 50 %); for a phone in a street the value is three times that.
  package var speedDeviation = 0.15
  /// The growth of ``speedDeviation`` with the speed, as a share of the speed: a choice without a source.
  package var speedDeviationShare = 0.016
  /// The least speed deviation for the radius of a fix, in m/s for each metre at 68 % (1/s): where reflections degrade
  /// places, they degrade speeds.
  package var speedDeviationByAccuracy = 0.0
  /// Whether velocities that vary more than their assumed error explains count as poorer.
  package var learnsSpeedNoise = true
  /// Whether fixes that jump to and fro more than brakes and engines explain count as poorer than they state.
  package var inflatesAccuracyAfterJumps = false
  /// The greatest usual acceleration, in m/s²: hard driving. The part of a jump that requires more is an error.
  package var usualAcceleration = 3.0

  // MARK: Device motion

  /// The initial, least and greatest agility: the rate at which a velocity wanders, in m²/s³ an axis. Measured values
  /// are 0.05 to 0.5 on foot and by bicycle, 0.2 to 0.9 in a car on a motorway, and ten times that in a town.
  package var initialAgility = 0.05
  package var leastAgility = 0.02
  package var greatestAgility = 20.0
  /// The least agility where no speed is stated and fixes come every second or few. There, manoeuvres are found by
  /// looking back, and between them a walker or rider goes on steadily. A choice without a source.
  package var leastAgilityBetweenManoeuvres = 0.01
  /// The greatest number of manoeuvres found each time that the track is looked back at.
  package var manoeuvresInLag = 2
  /// The rate at which the agility follows the measurements: ten fixes change it by a factor of e.
  package var agilityGain = 0.1
  /// The greatest weight of one fix in the agility, as a multiple of its expected value.
  package var agilityClip = 5.0
  /// The greatest acceleration that one fix shows, by its stated velocity or, with ``followsManoeuvresAtOnce``, by its
  /// place, in m/s²: hard braking on a dry road, where tyres hold up to 7 or 8.
  package var greatestAcceleration = 6.0
  /// Whether one fix without a velocity, beyond full weight, shows a manoeuvre if a possible acceleration explains the
  /// fix. Otherwise only ``manoeuvreFixes`` in a row do, and one after a ``manoeuvreStep``.
  package var followsManoeuvresAtOnce = false
  /// The step in seconds from which one fix without a velocity shows a manoeuvre in any case: a car has started, turned
  /// or stopped within half a minute.
  package var manoeuvreStep = 30.0
  /// The greatest possible speed, in m/s.
  package var greatestSpeed = 350.0

  // MARK: Outliers

  /// The deviation beyond which a fix has no greater weight, in standard deviations.
  package var fullWeightDeviations = 4.0
  /// The deviation beyond which a fix is rejected, in standard deviations.
  package var rejectionDeviations = 8.0
  /// The number of consecutive surprising fixes from which on none is rejected.
  package var rejectionsBeforeAcceptance = 4
  /// The number of consecutive fixes, each beyond full weight, that may show a manoeuvre: two give a velocity, and the
  /// third confirms it. The odometer uses fixes without a speed, fences those without a velocity.
  package var manoeuvreFixes = 3

  // MARK: Movement and rest

  /// The speed that proves a movement, in its own standard deviations.
  package var sureMovementDeviations = 3.0
  /// The speed to which a proven movement extends, in standard deviations.
  package var possibleMovementDeviations = 0.7
  /// The speed to which a movement extends beyond its last proven place, in standard deviations, where fixes come every
  /// second or few: a choice between the two, without a source.
  package var endOfMovementDeviations = 1.25
  /// The stated speed that proves a movement, in m/s. This is half of what adults of any age walk at comfortably (1.27
  /// to 1.46 m/s on average; Bohannon, "Comfortable and maximum walking speed of adults aged 20-79 years", *Age and
  /// Ageing* 26, 1997), and more than most receivers state at rest.
  package var sureMovementSpeed = 0.6
  /// The stated speed to which a proven movement extends, in m/s.
  package var possibleMovementSpeed = 0.3
  /// The length of the shortest counted movement, in metres: three steps.
  package var leastMovement = 2.5

  // MARK: Distance

  /// The share of the distance hidden by noise that is restored: all of it.
  package var hiddenDistanceShare = 1.0
  /// The delay of settling behind the newest fix, in seconds.
  package var lag = 30.0
  /// The least number of fixes between the settled track and the newest fix.
  package var minimumLagFixes = 10
  /// The greatest number of fixes between the settled track and the newest fix.
  package var maximumLagFixes = 64

  // MARK: Gaps

  /// The time in which a speed decays to 1/e in a gap, in seconds. Measured: ten to twenty on a bicycle, eighty on a
  /// motorway.
  package var speedMemory = 30.0
  /// The deviation of a speed kept through a gap, as a share of it.
  package var speedShare = 0.3
  /// The longest travel at the usual speed in a gap, in seconds: drivers of lorries rest after four and a half hours
  /// (Regulation (EC) 561/2006, article 7). Nothing is known of a longer gap.
  package var longestTravel = 16_200.0
  /// The ratio of travelled distance to the straight line: 1.2 between places in a town (Newell, *Traffic Flow on
  /// Transportation Networks*, 1980); for whole countries see Ballou, Rahardja and Sakai, "Selected country circuity
  /// factors for road travel distance estimation", *Transportation Research A* 36, 2002.
  package var circuity = 1.2
  /// The deviation of ``circuity``, as a share.
  package var circuityShare = 0.3
  /// The deviation of the velocity of a device that travels straight at one speed. A share of the mean, along the line
  /// and across it (3°); 0 treats no gap as straight. A choice without a source.
  package var straightShare = 0.05
  /// The deviation an axis of the place at which a stopped device starts again, in metres.
  package var restartDeviation = 10.0
}
