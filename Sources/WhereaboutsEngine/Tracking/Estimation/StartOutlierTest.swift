import WhereaboutsModel

/// A test for one outlier among the first fixes of a run.
///
/// The filter can't judge its first three fixes. An outlier among them starts it at a high velocity, and its path flies
/// on for up to a kilometre. Two fixes later the outlier is known: with it, the velocity changes more than any device
/// can, and without it, not.
enum StartOutlierTest {
  /// The number of fixes from which an outlier among the first three is known.
  static let requiredFixes = 5
  private static let suspects = 3

  /// Returns the index of the outlier among the first fixes of a run; `nil` if there is none, or if one does not explain
  /// the others.
  static func outlier(in samples: [TrackSample], _ model: MotionModel) -> Int? {
    let limit = model.fullWeightDeviations
    guard samples.count >= requiredFixes, greatestExcess(in: samples, model) > limit else { return nil }
    // A later outlier is left to the filter. The removal of its neighbour may be a sufficient explanation, but not the
    // best one.
    let excesses = samples.indices.map { index in
      var others = samples
      others.remove(at: index)
      return greatestExcess(in: others, model)
    }
    guard let least = excesses.min(), least <= limit else { return nil }
    return excesses.firstIndex(of: least).flatMap { $0 < suspects ? $0 : nil }
  }

  /// Returns the greatest change of velocity beyond what acceleration explains, in standard deviations.
  private static func greatestExcess(in samples: [TrackSample], _ model: MotionModel) -> Double {
    (2..<samples.count).reduce(-Double.infinity) { greatest, index in
      max(greatest, excess(samples[index - 2], samples[index - 1], samples[index], model))
    }
  }

  private static func excess(
    _ one: TrackSample, _ two: TrackSample, _ three: TrackSample, _ model: MotionModel
  ) -> Double {
    let before = two.time.seconds(since: one.time), after = three.time.seconds(since: two.time)
    guard before > 0, after > 0 else { return 0 }
    let change = (three.place - two.place) / after - (two.place - one.place) / before
    let both = 1 / before + 1 / after
    let variance =
      one.variance / (before * before) + two.variance * both * both + three.variance / (after * after)
    let possible = model.greatestAcceleration * (before + after) / 2
    return (change.length - possible) / variance.squareRoot()
  }
}
