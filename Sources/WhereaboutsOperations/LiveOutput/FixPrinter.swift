package import Whereabouts
import WhereaboutsModel
package import WhereaboutsReports

/// A printer of fixes, one line each.
package struct FixPrinter: Sendable {
  package let form: FixForm

  package init(form: FixForm) {
    self.form = form
  }

  /// Prints fixes until the stream ends, the line limit is reached, the task is cancelled or the reader closes the
  /// output.
  package func run(_ updates: EventStream<LocationUpdate>, _ lines: inout LiveLineWriter) async throws {
    for await update in updates {
      switch update {
      case .problem(let problem): try LiveLineWriter.report(problem)
      case .authorization(let authorization): try LiveLineWriter.report(authorization)
      case .fix(let fix, let dropped):
        LiveLineWriter.report(dropped: dropped)
        guard try lines.write({ form.append(fix, to: &$0.bytes) }) else { return }
      }
    }
  }
}
