import Foundation
import Whereabouts
import WhereaboutsEngine
import WhereaboutsModel

/// The measurement of a device's distance: one trip for each day, named by its date.
///
/// A trip ends with the first fix of a later day. Later fixes of an ended day are stored and not counted. In a time zone
/// farther west than before, a day may come again: its fixes count in the trip that is open.
struct DayTracker {
  private let zone: TimeZone
  private var day: CalendarDay?
  /// The day of an earlier session's last fix. Trips of days before it have ended.
  private var earliestDay: CalendarDay?
  private var tracker: Tracker?

  /// - Parameter zone: the time zone whose midnights divide the days.
  init(zone: TimeZone) { self.zone = zone }

  /// Divides fixes into runs of one day each, in order.
  func days(of fixes: [Fix]) -> [ArraySlice<Fix>] {
    var runs: [ArraySlice<Fix>] = []
    var start = fixes.startIndex, startDay: CalendarDay?
    for (index, fix) in fixes.enumerated() {
      guard let time = fix.time else { continue }
      let day = CalendarDay(of: time, in: zone)
      if let startDay, startDay != day {
        runs.append(fixes[start..<index])
        start = index
      }
      startDay = day
    }
    if start < fixes.endIndex { runs.append(fixes[start...]) }
    return runs
  }

  /// Returns whether the trip of a day would become the one that counts.
  func needsBegin(_ time: UTCTime?) -> Bool {
    guard let time else { return false }
    let new = CalendarDay(of: time, in: zone)
    if let day, new <= day { return false }
    return earliestDay.map { new >= $0 } ?? true
  }

  /// Makes the trip of a day the one that counts, unless a later day has begun.
  mutating func begin(_ time: UTCTime?, on manager: LocationManager) async {
    guard let time, needsBegin(time) else { return }
    var day = CalendarDay(of: time, in: zone)
    if self.day == nil {
      if let open = await openDay(at: time, on: manager) { day = open }
      await endEarlierTrips(than: day, on: manager)
    }
    tracker?.end()
    self.day = day
    var terms = TrackTerms(calculationInterval: .seconds(3600), trip: TripID(rawValue: day.name))
    // A phone can't be started again, and the failover of this machine's sources checks them. The check is a deadline,
    // which would keep the device from its rest.
    terms.signal.longestSilence = nil
    tracker = manager.tracker(terms, startsAtOnce: true)
  }

  /// Makes the open trip at the time of an earlier session's last fix the one that counts. Fixes of earlier days begin no
  /// trip from then on.
  mutating func resume(_ time: UTCTime, on manager: LocationManager) async {
    let last = CalendarDay(of: time, in: zone)
    earliestDay = last
    guard day == nil, await openDay(at: time, on: manager) != nil else { return }
    await begin(time, on: manager)
  }

  /// Returns the day whose open trip counts a fix of a time: that of the time, or a later one that has begun by then in
  /// another time zone. The trips before a later day have ended, and no trip gets their names again.
  private func openDay(at time: UTCTime, on manager: LocationManager) async -> CalendarDay? {
    let day = CalendarDay(of: time, in: zone)
    let days = await manager.trips.compactMap { trip -> CalendarDay? in
      // The greatest difference of two time zones is 26 hours.
      guard let named = CalendarDay(name: trip.id.rawValue), named >= day, named.number <= day.number + 2
      else {
        return nil
      }
      return named == day || trip.began.map { $0 <= time } ?? false ? named : nil
    }
    return days.max()
  }

  /// Ends the trips of earlier days that another process left open.
  private func endEarlierTrips(than day: CalendarDay, on manager: LocationManager) async {
    for trip in await manager.trips {
      guard let named = CalendarDay(name: trip.id.rawValue), named < day else { continue }
      manager.endTrip(trip.id)
    }
  }
}
