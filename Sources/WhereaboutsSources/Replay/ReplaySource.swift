public import Whereabouts
import WhereaboutsModel
public import WhereaboutsFormats

/// A source that plays a recording.
///
/// The fixes are those of the recording, marked as simulated, at the recording's own rate. The recording plays while
/// there is demand, pauses without demand, and ends the source. If demand begins again at a known time, as while
/// fences are far away, the recording plays on without delivering. The manager's time is that of the recording
/// (``ReplayTimeline``). So deadlines are exact, and the same recording gives the same results at every speed. Inside
/// a live source, such as a ``FailoverSource``, fixes arrive at the replay's pace.
///
/// The first demand starts the recording, and stored fences alone have a demand. A program with a store therefore
/// creates its manager with `startsSource: false`, subscribes, and then calls
/// ``Whereabouts/LocationManager/startSource()``.
///
/// Memory use does not grow with the recording. No fix is dropped for a subscriber that asked the source to wait.
public struct ReplaySource: LocationSource {
  /// The timing: recorded, since time is that of the recording.
  public var timing: SourceTiming { .recorded }

  private let open: @Sendable () throws -> any RecordingFeed
  private let speed: ReplaySpeed
  private let longestPause: Duration?

  /// Creates a source over a recording that is opened at the first demand.
  ///
  /// - Parameters:
  ///   - speed: the speed of the replay.
  ///   - longestPause: the longest real time between two fixes, such as between two tracks; recorded time passes in
  ///     full. `nil` sets no limit.
  ///   - open: opens the recording. A `SourceProblem` is reported unchanged, any other error as
  ///     ``Whereabouts/SourceProblem/Code/unreadable``.
  public init(
    speed: ReplaySpeed = .times(1), longestPause: Duration? = nil,
    open: @escaping @Sendable () throws -> any RecordingFeed
  ) {
    self.speed = speed
    self.longestPause = longestPause
    self.open = open
  }

  /// Creates a source over a recording in memory.
  public init(
    _ elements: [RecordingElement], speed: ReplaySpeed = .asFastAsPossible, longestPause: Duration? = nil
  ) {
    self.init(speed: speed, longestPause: longestPause) { InMemoryRecording(elements) }
  }

  /// Plays the recording. A request for a heading that is still pending at the end learns if there was none.
  ///
  /// A recording that this process may not read (``Whereabouts/SourceProblem/Code/notPermitted``) is reported as
  /// denied, with a remedy. The source tries again at each change of demand.
  public func run(_ link: SourceLink) async {
    var player = ReplayPlayer(link: link, speed: speed, longestPause: longestPause)
    do {
      guard var feed = try await openWhenNeeded(&player, link) else { return }
      var elements: [RecordingElement] = []
      var hasHeadings = false
      while try feed.read(into: &elements) {
        for element in elements {
          if case .heading = element { hasHeadings = true }
          guard try await player.play(element) else { return }
        }
      }
      if !hasHeadings, player.wantsHeadings {
        let message = "find a heading: there is none in the recording"
        await link.send(.headingsUnavailable(SourceProblem(.noCompass, message: message)))
      }
    } catch is CancellationError {
      return
    } catch let problem as SourceProblem {
      await link.send(.failed(problem))
    } catch {
      await link.send(.failed(SourceProblem(.unreadable, message: "read the recording: \(error)")))
    }
  }

  /// - Returns: `nil` if demands have ended.
  private func openWhenNeeded(
    _ player: inout ReplayPlayer, _ link: SourceLink
  ) async throws -> (any RecordingFeed)? {
    var isRefused = false
    while await player.waitForDemand() {
      do {
        let feed = try open()
        if isRefused { await link.send(.authorization(Authorization(.always))) }
        return feed
      } catch let problem as SourceProblem where problem.code == .notPermitted {
        isRefused = true
        let remedy = problem.remedy ?? "Could not \(problem.message)."
        await link.send(.authorization(Authorization(.denied, noticesChanges: false, remedy: remedy)))
      }
    }
    return nil
  }
}
