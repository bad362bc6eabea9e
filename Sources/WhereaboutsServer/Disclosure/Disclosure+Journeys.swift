import Whereabouts
import WhereaboutsModel

extension Disclosure {
  /// The greatest distance in time between an end of a journey now and when its link was made. Further fixes move the
  /// ends a little. A journey whose ends have moved further is another one.
  private static let tolerance = Duration.seconds(300)

  /// Returns whether the reader may see more of a device than one journey. The holder of a link to a journey sees the
  /// fixes of the journey and its figures, and nothing else.
  func mayReadBeyondJourney(_ device: DeviceID) -> Bool { mayRead(device) && reader.terms.link?.until == nil }

  /// The span of the journey that the reader's link shows; `nil` for another reader.
  var journeySpan: ClosedRange<UTCTime>? {
    guard let until = reader.terms.link?.until else { return nil }
    return min(reader.terms.since ?? until, until)...until
  }

  /// Returns the part of a span that the reader may see: from the beginning of the token on, and of a link to a journey
  /// the journey alone. Neither the number nor the times of the fixes outside are visible.
  func visiblePart(of span: Range<UTCTime>?) -> Range<UTCTime>? {
    guard let since = journeySpan?.lowerBound ?? reader.terms.since else { return span }
    let end = journeySpan?.upperBound.advanced(by: .nanoseconds(1)) ?? UTCTime(nanosecondsSince1970: .max)
    let start = max(span?.lowerBound ?? since, since)
    return start..<max(start, min(span?.upperBound ?? end, end))
  }

  /// Returns a journey as the reader may see it; `nil` unless the reader's link shows this journey.
  ///
  /// The times of the fixes before and after the journey are withheld, and so is its path: the reader reads the fixes,
  /// of which zones and a cap withhold or coarsen some.
  func journey(_ journey: JourneySegment, of device: DeviceID) -> DisclosedJourney? {
    guard mayRead(device), let span = journeySpan, Self.isNear(journey.start.time, span.lowerBound),
      Self.isNear(journey.end.time, span.upperBound)
    else { return nil }
    return DisclosedJourney(
      start: journey.start.time, startUncertainty: journey.start.uncertainty, end: journey.end.time,
      endUncertainty: journey.end.uncertainty, distance: journey.distance, uncertainty: journey.uncertainty,
      legs: journey.legs)
  }

  private static func isNear(_ time: UTCTime, _ other: UTCTime) -> Bool {
    max(time, other).since(min(time, other)) <= tolerance
  }
}

/// The figures of a journey, without any place.
struct DisclosedJourney: Hashable, Sendable {
  /// The start.
  let start: UTCTime
  /// The half-width of the start at 68 %, in seconds.
  let startUncertainty: Double
  /// The end.
  let end: UTCTime
  /// The half-width of the end at 68 %, in seconds.
  let endUncertainty: Double
  /// The distance travelled, in metres.
  let distance: Double
  /// One standard deviation of ``distance``, in metres.
  let uncertainty: Double
  /// The stretches by mode of transport, in order.
  let legs: [JourneyLeg]
}
