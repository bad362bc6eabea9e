package import WhereaboutsModel

/// What is assumed of how devices move and receivers err before anything was seen of either.
///
/// None of it is fitted to a recording: each number is from the literature, from what receivers' makers state, a
/// round one within what was measured, or a plain convention of statistics; decision record 10 tells which. Nor does
/// much hang on any but one: halved or doubled they move the mean error by a fifth at most,
/// ``sureMovementDeviations`` doubled apart.
package struct MotionModel: Sendable, Hashable {
  package init() {}

  /// How the device is carried; ``init(_:)`` sets the numbers that go with it.
  package var activity = Activity.other

  // MARK: How receivers err

  /// Seconds in which the lasting part of a fix's error is forgotten to 1/e.
  ///
  /// What moves a fix for longer than a moment lasts from seconds (reflections, in a moving car; the receiver's own
  /// filter) to many minutes (reflections at rest; the atmosphere and the satellites' orbits and clocks, for which
  /// see Olynik et al., "Temporal variability of GPS error sources and their effect on relative positioning
  /// accuracy", *ION NTM* 2002). A minute is a round number between.
  package var errorMemory = 60.0
  /// The share of a fix's variance that is its own and no other's, before it was measured: a guess that a few fixes
  /// replace.
  package var initialUncorrelatedShare = 0.3
  /// How fast that share follows what is measured, as a multiple of what is usual; 0 keeps it.
  package var uncorrelatedShareGain = 1.0
  /// The radius in metres, at 68 %, of a fix that states none: phones under open sky are typically within 4.9 m (van
  /// Diggelen and Enge, "The world's first GPS MOOC and worldwide laboratory using smartphones", *ION GNSS+* 2015);
  /// taken as 95 %, that is 3 m at 68 %.
  package var unstatedAccuracy = 3.0
  /// The standard deviation in m/s of a stated speed whose accuracy is not. Makers state 0.05 m/s under open sky
  /// (u-blox's data sheets, at 50 %); for a phone in a street three times that is taken.
  package var speedDeviation = 0.15
  /// What it grows by with the speed, as a share of it: a choice without a source.
  package var speedDeviationShare = 0.016
  /// What it is at least, by the radius of the fix in metres at 68 %, in 1/s: where places are poor because of
  /// reflections, so are speeds.
  package var speedDeviationByAccuracy = 0.0
  /// Whether fixes that jump to and fro more than brakes and engines explain are taken for poorer than they state.
  package var inflatesAccuracyAfterJumps = false
  /// A jump between fixes is an error as far as it takes a greater acceleration than this, in m/s²: hard driving.
  package var usualAcceleration = 3.0

  // MARK: How devices move

  /// How fast a velocity wanders, in m²/s³ an axis: what is assumed at first, the least and the greatest that can be
  /// learned. Measured on foot and by bicycle it is 0.05 to 0.5, in a car on a motorway 0.2 to 0.9, in a town ten
  /// times that.
  package var initialAgility = 0.05
  package var leastAgility = 0.02
  package var greatestAgility = 20.0
  /// How fast the agility follows what is seen: ten fixes a factor of e.
  package var agilityGain = 0.1
  /// One fix counts for at most so many times what was expected of it.
  package var agilityClip = 5.0
  /// A change of a stated velocity up to this, in m/s², is believed at once: hard braking on a dry road,
  /// which tyres hold up to 7 or 8.
  package var greatestAcceleration = 6.0
  /// Faster than this, in m/s, nothing goes.
  package var greatestSpeed = 350.0

  // MARK: Outliers

  /// A fix further off than so many standard deviations weighs no more than one that is just so far.
  package var fullWeightDeviations = 4.0
  /// One further off than so many is not used at all,
  package var rejectionDeviations = 8.0
  /// unless as many before it were further off than expected too.
  package var rejectionsBeforeAcceptance = 4
  /// So many fixes without a speed in a row, each further off than has full weight, may show a manoeuvre: two give a
  /// velocity, and the third confirms it.
  package var manoeuvreFixes = 3

  // MARK: Movement and rest

  /// A movement is somewhere faster than so many of its own standard deviations,
  package var sureMovementDeviations = 3.0
  /// and reaches as far as it is faster than so many.
  package var possibleMovementDeviations = 0.7
  /// beyond the last sure place only as far as it is faster than so many, where fixes come every second or few: a
  /// choice between the two, without a source.
  package var endOfMovementDeviations = 1.25
  /// Where speeds are stated, it is somewhere faster than this, in m/s: half of what adults of any age walk at
  /// comfortably (1.27 to 1.46 m/s on average; Bohannon, "Comfortable and maximum walking speed of adults aged 20-79
  /// years", *Age and Ageing* 26, 1997), and more than receivers at rest mostly say,
  package var sureMovementSpeed = 0.6
  /// and reaches as far as it is faster than this.
  package var possibleMovementSpeed = 0.3
  /// The least that counts as a movement, in metres: three steps.
  package var leastMovement = 2.5

  // MARK: The way

  /// How much of the way that the noise hides is given back: all of it.
  package var hiddenDistanceShare = 1.0
  /// The way is settled so many seconds behind the newest fix,
  package var lag = 30.0
  /// at least so many fixes behind it,
  package var minimumLagFixes = 10
  /// and at most so many.
  package var maximumLagFixes = 64

  // MARK: Gaps

  /// Seconds in which a speed is forgotten to 1/e: ten to twenty on a bicycle, eighty on a motorway, as measured.
  package var speedMemory = 30.0
  /// How sure a speed that is kept up is, as a share.
  package var speedShare = 0.3
  /// How much longer ways are than the straight line: 1.2 between places in a town (Newell, *Traffic Flow on
  /// Transportation Networks*, 1980); for whole countries see Ballou, Rahardja and Sakai, "Selected country circuity
  /// factors for road travel distance estimation", *Transportation Research A* 36, 2002.
  package var circuity = 1.2
  /// How sure that is, as a share.
  package var circuityShare = 0.3
  /// How far the velocity of a device that goes straight on at one speed is from its mean, as a share, along the line
  /// and across it (3°); 0 takes no gap for straight. A choice without a source.
  package var straightShare = 0.05
  /// How far from where it stopped a device may seem to start again, in metres: the deviation an axis.
  package var restartDeviation = 10.0
}
