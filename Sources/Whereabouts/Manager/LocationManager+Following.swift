/// Where am I now, and now, and now?
extension LocationManager {
  /// Subscribes to fixes.
  ///
  /// - Parameters:
  ///   - level: what to ask of the source. Fixes that fall short are delivered too: they carry their accuracy.
  ///   - distanceFilter: least movement between two fixes, in metres; 0 delivers every one.
  ///   - activity: how the device is being carried.
  ///   - buffering: what to keep while the consumer is busy.
  public func fixes(
    _ level: AccuracyLevel, distanceFilter: Double = 0, activity: Activity = .other,
    keeping buffering: FixBuffering = .newest(1)
  ) -> FixStream {
    fixes(FixTerms(level: level, distanceFilter: distanceFilter, activity: activity), keeping: buffering)
  }

  /// Subscribes to fixes on terms that say more: an interval, a count, a duration, the last known fix first.
  public func fixes(_ terms: FixTerms, keeping buffering: FixBuffering = .newest(1)) -> FixStream {
    FixStream(.fixes(terms), keeping: buffering, of: self)
  }

  /// Subscribes to fixes and to what keeps them from coming.
  ///
  /// - Parameters: as ``fixes(_:distanceFilter:activity:keeping:)``.
  public func updates(
    _ level: AccuracyLevel, distanceFilter: Double = 0, activity: Activity = .other,
    keeping buffering: FixBuffering = .newest(1)
  ) -> UpdateStream {
    updates(FixTerms(level: level, distanceFilter: distanceFilter, activity: activity), keeping: buffering)
  }

  /// Subscribes to fixes, on terms that say more, and to what keeps them from coming.
  public func updates(_ terms: FixTerms, keeping buffering: FixBuffering = .newest(1)) -> UpdateStream {
    UpdateStream(.fixes(terms), keeping: buffering, of: self)
  }

  /// Subscribes to large moves only, which cost the source little: alone they never start its precise service.
  ///
  /// - Parameters:
  ///   - terms: what counts as one: 500 m and five minutes, or 5 km at once.
  ///   - buffering: what to keep while the consumer is busy.
  public func significantChanges(
    _ terms: SignificantChangeTerms = .standard, keeping buffering: FixBuffering = .newest(1)
  ) -> UpdateStream {
    UpdateStream(.significantChanges(terms), keeping: buffering, of: self)
  }

  /// Subscribes to the few fixes that are worth keeping: accurate, and a while and a way apart.
  ///
  /// - Parameter terms: what makes one worth keeping.
  public func acceptedFixes(_ terms: AcceptanceTerms = .standard) -> AcceptedFixStream {
    AcceptedFixStream(.accepted(terms), of: self) { if case .accepted(let fix) = $0 { fix } else { nil } }
  }

  /// Subscribes to arrivals at places where the device stays, and departures from them.
  ///
  /// - Parameter terms: what counts as a stay.
  public func visits(_ terms: VisitTerms = .standard) -> VisitStream {
    VisitStream(.visits(terms), of: self) { if case .visit(let visit) = $0 { visit } else { nil } }
  }

  /// Subscribes to how the device moves: first what is known of it, then each change.
  ///
  /// What is known comes as the change that has led to it, and so may be of before; nothing comes first where nothing is
  /// known. It is found from fixes alone and needs a running receiver.
  public func motions() -> MotionStream {
    MotionStream(.motions, of: self) { if case .motion(let change) = $0 { change } else { nil } }
  }

  /// Makes a tracker, which says how far the device comes: prepared, so that the source is on and nothing is counted
  /// before ``Tracker/start()``.
  ///
  /// - Parameter activity: how the device is being carried.
  public func tracker(_ activity: Activity = .other) -> Tracker {
    tracker(TrackTerms(activity: activity))
  }

  /// Makes a tracker on terms that say more.
  ///
  /// - Parameters:
  ///   - terms: limits of the signal, the method, how often it tells, whether it tells each point of the way, and the
  ///     name under which a store keeps it: a tracker of that name goes on with what was counted under it, also in
  ///     another process.
  ///   - startsAtOnce: whether it is started too, before the source can say anything: what a recording plays until
  ///     ``Tracker/start()`` is called is not counted. Where it can't be started, ``Tracker/events`` says why.
  ///   - window: how many points may be untaken before the *source* waits, as with ``FixBuffering/waiting(upTo:)``; `nil`
  ///     keeps it waiting for none. Only for recordings.
  public func tracker(
    _ terms: TrackTerms, startsAtOnce: Bool = false, waitingForPoints window: Int? = nil
  ) -> Tracker {
    Tracker(terms, startsAtOnce: startsAtOnce, window: window, of: self)
  }

  /// What has been counted under names and is not over: by trackers that are there, and by those that may go on with it.
  public var trips: [Trip] {
    get async {
      let promise = Promise<[Trip]>()
      let isIn = inbox.put(.look { await promise.fulfil($0.trips) })
      return isIn ? await promise.result : []
    }
  }

  /// What is counted under a name is over; a tracker of that name ends. Unknown names are harmless.
  public func endTrip(_ id: TripID) {
    inbox.put(.input(.endTrip(id)))
  }

  /// Subscribes to where the device points.
  ///
  /// - Parameters:
  ///   - filter: the least turn that is told, in degrees in [0, 180]; 0 tells every heading.
  ///   - reference: the north to count from; `nil` takes any.
  ///   - buffering: what to keep while the consumer is busy.
  public func headings(
    filter: Double = 1, reference: Heading.Reference? = nil, keeping buffering: FixBuffering = .newest(1)
  ) -> HeadingStream {
    HeadingStream(HeadingTerms(filter: filter, reference: reference), keeping: buffering, of: self)
  }
}
