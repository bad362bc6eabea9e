import WhereaboutsGeodesy
package import WhereaboutsModel

/// Points of a way made up for tests, one after another.
package struct SampleTrack {
  package private(set) var points: [TrackPoint] = []
  private var seconds = 0.0
  private var metres = 0.0
  private var variance = 0.0
  /// Metres that were not counted.
  private var uncountedMetres = 0.0
  private var nextLink: TrackPoint.Link = .begins

  package init() {}

  /// Goes on for some seconds at a speed, a point a second.
  package mutating func move(_ motion: Motion, _ speed: Double, seconds count: Int) {
    for _ in 0..<count {
      seconds += 1
      metres += speed
      variance += speed * 0.02
      append(motion, speed)
    }
  }

  /// There is no fix for so long.
  package mutating func addGap(seconds count: Double, metres length: Double, counted: Double) {
    seconds += count
    metres += counted
    variance += counted * counted / 100
    nextLink = .bridges(
      TrackPoint.Gap(duration: count, geodesic: length, counted: counted, uncertainty: counted / 10))
  }

  /// Interrupts the recording for a duration, and continues at a distance.
  package mutating func addInterruption(seconds count: Double, metres length: Double = 0) {
    seconds += count
    uncountedMetres += length
    nextLink = .begins
  }

  private mutating func append(_ motion: Motion, _ speed: Double) {
    let time = UTCTime(nanosecondsSince1970: 1_715_671_800_000_000_000).advanced(by: .seconds(seconds))
    // Along a spiral, so that nothing lies on anything.
    let turn = metres / 1500
    guard
      let coordinate = Coordinate(
        latitude: 47 + 0.004 * turn * Double(Int(turn * 2) % 2 == 0 ? 1 : -1),
        longitude: 8 + (metres + uncountedMetres) / 80_000)
    else { return }
    points.append(
      TrackPoint(
        time: time, coordinate: coordinate, distance: metres, uncertainty: variance.squareRoot(),
        speed: speed,
        motion: motion, link: nextLink))
    nextLink = .follows
  }
}

extension SampleTrack {
  /// A way to work with all that can be on one.
  package static var commute: SampleTrack {
    var way = SampleTrack()
    way.move(.walking, 1.4, seconds: 300)
    way.move(.still, 0, seconds: 200)
    way.move(.driving, 14, seconds: 400)
    way.addGap(seconds: 150, metres: 1700, counted: 1900)
    way.move(.driving, 12, seconds: 200)
    way.move(.still, 0, seconds: 600)
    way.addInterruption(seconds: 400, metres: 200)
    way.move(.cycling, 6, seconds: 500)
    way.addGap(seconds: 90, metres: 300, counted: 0)
    way.move(.running, 3, seconds: 300)
    way.move(.unknown, 2, seconds: 30)
    return way
  }
}
