public import Whereabouts
import WhereaboutsCore
public import WhereaboutsFormats

/// A recording as a source.
///
/// Its fixes are those of the recording, marked as simulated. It plays while there is demand, stands still while there
/// is none, and ends with the recording. Where there is none until a certain time, as while fences are far away, it plays
/// on and gives nothing, as a receiver that is off. It can't give fixes any rarer than it has them. The time of a manager
/// over it is that of the recording (``ReplayTimeline``): deadlines are met to the instant, and the same recording gives the
/// same answers at every speed. Inside a live source, such as a ``FailoverSource``, it hands its fixes over at its pace.
///
/// Memory does not grow with the recording, and nothing is dropped for a subscriber who asked to be waited for.
public struct ReplaySource: LocationSource {
  /// Recorded: time is that of the recording.
  public var timing: SourceTiming { .recorded }

  private let open: @Sendable () throws -> any RecordingFeed
  private let speed: ReplaySpeed
  private let longestPause: Duration?

  /// A recording that is opened when there is the first demand.
  ///
  /// - Parameters:
  ///   - speed: how fast it is played.
  ///   - longestPause: the longest true time to wait between two fixes, such as where the recorder was off between two
  ///     tracks. The recorded time passes all the same. `nil` waits as long as it says.
  ///   - open: opens the recording. What it throws is told as ``Whereabouts/SourceTrouble/Code/unreadable``, unless it is a
  ///     `SourceTrouble` itself.
  public init(
    speed: ReplaySpeed = .times(1), longestPause: Duration? = nil,
    open: @escaping @Sendable () throws -> any RecordingFeed
  ) {
    self.speed = speed
    self.longestPause = longestPause
    self.open = open
  }

  /// A recording that is in memory.
  public init(
    _ elements: [RecordingElement], speed: ReplaySpeed = .asFastAsPossible, longestPause: Duration? = nil
  ) {
    self.init(speed: speed, longestPause: longestPause) { RecordingInMemory(elements) }
  }

  /// Plays the recording. Whoever still waits for a heading at its end is told if there was none in it.
  ///
  /// One that this process may not read (``SourceTrouble/Code/notPermitted``) is said to be denied, with a remedy; it is
  /// tried again whenever something else is needed.
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
        await link.send(.headingsUnavailable(SourceTrouble(.noCompass, message: message)))
      }
    } catch is CancellationError {
      return
    } catch let trouble as SourceTrouble {
      await link.send(.failed(trouble))
    } catch {
      await link.send(.failed(SourceTrouble(.unreadable, message: "read the recording: \(error)")))
    }
  }

  /// - Returns: `nil` where nothing will ever be needed.
  private func openWhenNeeded(
    _ player: inout ReplayPlayer, _ link: SourceLink
  ) async throws -> (any RecordingFeed)? {
    var isRefused = false
    while await player.waitForDemand() {
      do {
        let feed = try open()
        if isRefused { await link.send(.authorization(Authorization(.always))) }
        return feed
      } catch let trouble as SourceTrouble where trouble.code == .notPermitted {
        isRefused = true
        let remedy = trouble.remedy ?? "Could not \(trouble.message)."
        await link.send(.authorization(Authorization(.denied, noticesChanges: false, remedy: remedy)))
      }
    }
    return nil
  }
}
