import WhereaboutsEngine

/// Subscriptions to fixes, visits, motion, tracks and headings. A subscription ends with its stream; see
/// ``EventStream``.
extension LocationManager {
  /// Subscribes to fixes. Problems and changes of permission are left out.
  ///
  /// - Parameters:
  ///   - level: the accuracy to demand from the source, by default the finest standard level. Less accurate fixes are
  ///     delivered too, with their accuracy.
  ///   - distanceFilter: the least movement between two fixes, in metres; 0 delivers every fix.
  ///   - activity: the way the device is carried.
  ///   - buffering: the fixes to keep while the consumer is busy.
  public func fixes(
    _ level: AccuracyLevel = .room, distanceFilter: Double = 0, activity: Activity = .other,
    keeping buffering: FixBuffering = .newest(1)
  ) -> EventStream<Fix> {
    fixes(FixTerms(level: level, distanceFilter: distanceFilter, activity: activity), keeping: buffering)
  }

  /// Subscribes to fixes on detailed terms: an interval, a count, a duration, the last known fix first.
  public func fixes(_ terms: FixTerms, keeping buffering: FixBuffering = .newest(1)) -> EventStream<Fix> {
    EventStream(.fixes(terms), keeping: buffering, of: self)
  }

  /// Subscribes to fixes and to the problems that prevent fixes. Each fix carries the number of fixes dropped before.
  ///
  /// - Parameters: as ``fixes(_:distanceFilter:activity:keeping:)``.
  public func updates(
    _ level: AccuracyLevel = .room, distanceFilter: Double = 0, activity: Activity = .other,
    keeping buffering: FixBuffering = .newest(1)
  ) -> EventStream<LocationUpdate> {
    updates(FixTerms(level: level, distanceFilter: distanceFilter, activity: activity), keeping: buffering)
  }

  /// Subscribes, on detailed terms, to fixes and to the problems that prevent fixes.
  public func updates(
    _ terms: FixTerms, keeping buffering: FixBuffering = .newest(1)
  ) -> EventStream<LocationUpdate> {
    EventStream(.fixes(terms), keeping: buffering, of: self)
  }

  /// Subscribes to large moves only. Such a subscription alone never starts the source's precise service.
  ///
  /// - Parameters:
  ///   - terms: the size of a move: 500 m and five minutes, or 5 km at once.
  ///   - buffering: the fixes to keep while the consumer is busy.
  public func significantChanges(
    _ terms: SignificantChangeTerms = .standard, keeping buffering: FixBuffering = .newest(1)
  ) -> EventStream<LocationUpdate> {
    EventStream(.significantChanges(terms), keeping: buffering, of: self)
  }

  /// Subscribes to the few fixes worth keeping: accurate, and apart in time and distance.
  ///
  /// Each fix is delivered with the reason for its acceptance, and none is dropped. At the end of the source, the best
  /// held fix is still delivered.
  ///
  /// - Parameter terms: the conditions of acceptance.
  public func acceptedFixes(_ terms: AcceptanceTerms = .standard) -> EventStream<AcceptedFix> {
    EventStream(.accepted(terms), of: self)
  }

  /// Subscribes to arrivals at places where the device stays, and to departures. None is dropped. Fixes without a time
  /// are ignored.
  ///
  /// - Parameter terms: the conditions of a stay.
  public func visits(_ terms: VisitTerms = .standard) -> EventStream<Visit> {
    EventStream(.visits(terms), of: self)
  }

  /// Subscribes to the device's motion: the known motion first, then each change.
  ///
  /// The known motion is delivered as the change that led to it, possibly from before the subscription. While the
  /// motion is unknown, there is no first event. Motion is detected from fixes alone and needs a running receiver. No
  /// change is dropped. Fixes without a time are ignored. Without ``ManagerSettings/motion`` nothing is delivered,
  /// although the receiver runs.
  public func motions() -> EventStream<Motion.Change> {
    EventStream(.motions, of: self)
  }

  /// Returns a prepared tracker of the distance covered: the source is on, and nothing is counted before
  /// ``Tracker/start()``.
  ///
  /// - Parameter activity: the way the device is carried.
  public func tracker(_ activity: Activity = .other) -> Tracker {
    tracker(TrackTerms(activity: activity))
  }

  /// Returns a tracker on detailed terms.
  ///
  /// - Parameters:
  ///   - terms: the limits of the signal, the method, the interval of updates, whether points are reported, and the
  ///     trip's name. A tracker resumes the stored totals of its trip's name, also in another process.
  ///   - startsAtOnce: whether the tracker starts before the source sends anything. Otherwise a recording's fixes
  ///     before ``Tracker/start()`` are not counted. If the start fails, ``Tracker/events`` reports the cause.
  ///   - window: the number of unconsumed points at which the *source* waits, as with
  ///     ``FixBuffering/waiting(upTo:)``; `nil` never waits. The source does not wait between two loops over
  ///     ``Tracker/points``. Only for recordings.
  public func tracker(
    _ terms: TrackTerms, startsAtOnce: Bool = false, waitingForPoints window: Int? = nil
  ) -> Tracker {
    Tracker(terms, startsAtOnce: startsAtOnce, window: window, of: self)
  }

  /// The trips that have not ended: of live trackers, and of earlier trackers whose trips can be resumed.
  public var trips: [Trip] {
    get async {
      await inbox.perform { $0.engine.trips } ?? []
    }
  }

  /// ``trips`` with the distance that would be added to each if it ended now.
  package var tripsWithAhead: [Trip] {
    get async {
      await inbox.perform { $0.engine.tripsWithAhead } ?? []
    }
  }

  /// Ends a trip and the trackers of its name. Unknown names are ignored.
  public func endTrip(_ id: TripID) {
    inbox.enqueue(.endTrip(id))
  }

  /// Subscribes to headings and to the problems that prevent headings. Each heading carries the number of headings
  /// dropped before. Without a compass the stream ends. Once the source has reported that there is none, later streams
  /// of this manager end at once, and the source is not asked again.
  ///
  /// - Parameters:
  ///   - filter: the least turn between two headings, in degrees in [0, 180]; 0 delivers every heading.
  ///   - reference: the north reference; `nil` accepts any. Headings from another north are not delivered. Core
  ///     Location states true north only while another consumer needs fixes.
  ///   - buffering: the headings to keep while the consumer is busy.
  public func headings(
    filter: Double = 1, reference: Heading.Reference? = nil, keeping buffering: FixBuffering = .newest(1)
  ) -> EventStream<HeadingUpdate> {
    EventStream(
      .headings(HeadingTerms(filter: filter, reference: reference)), keeping: buffering, of: self)
  }
}
