import Whereabouts
import WhereaboutsTesting

/// A receiver that sends scripted signals while there is a demand.
actor SoakReceiver: LocationSource {
  private(set) var demand = Demand.off
  /// The number of demands, with repetitions.
  private(set) var demandCount = 0
  private var link: SourceLink?

  func run(_ link: SourceLink) async {
    self.link = link
    for await demand in link.demands {
      self.demand = demand
      if demand != .off { demandCount += 1 }
    }
    self.link = nil
  }

  /// Returns when the engine has judged it.
  func send(_ signal: SourceSignal) async { await link?.send(signal) }
}

/// Looks at what is asked of a source, without touching it.
final class ObservedSource: SourceObserver {
  private let source: any LocationSource
  private let meter: DemandMeter

  init(_ source: some LocationSource, meter: DemandMeter) {
    self.source = source
    self.meter = meter
  }

  func run(_ link: SourceLink) async { await source.run(link) }
  func demandDidChange(to demand: Demand) async { await meter.record(demand) }
  func authorizationRequested(for level: Authorization.Level) async {}
}

/// For how long something was asked of a source.
actor DemandMeter {
  private let clock: StepClock
  private(set) var demand = Demand.off
  private var since = Duration.zero
  private var total = Duration.zero

  init(clock: StepClock) { self.clock = clock }

  func record(_ new: Demand) {
    let now = clock.now.offset
    if demand != .off { total += now - since }
    (demand, since) = (new, now)
  }

  var duration: Duration { total + (demand == .off ? .zero : clock.now.offset - since) }
}
