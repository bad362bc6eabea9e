import WhereaboutsEngine
import WhereaboutsModel

/// Carries out an operation for a tool that counts the instructions within ``counted(_:_:)``: a hundred requests added
/// to those pending (`add`) or cancelled again (`cancel`), a hundred fixes that end none (`fix`), or one that ends all
/// (`all`).
func carryOut(_ operation: String, pending: Int) {
  let many = terms(pending), first = UInt64(pending + 1)
  var bench = Bench(many)
  let added = (0..<100).map { Input.request(RequestID(first + UInt64($0)), many[$0 % pending]) }
  let cancelled = (0..<100).map { Input.cancel(RequestID(first + UInt64($0))) }
  switch operation {
  case "add":
    counted(&bench, added)
  case "cancel":
    for input in added { bench.process(input) }
    counted(&bench, cancelled)
  case "fix": counted(&bench, fixes(100, accuracy: 500).map { .signal(.fix($0, age: .sinceArrival)) })
  case "all": counted(&bench, fixes(1, accuracy: 1).map { .signal(.fix($0, age: .sinceArrival)) })
  default: print("there is no operation '\(operation)'")
  }
}

@inline(never)
func counted(_ bench: inout Bench, _ inputs: [Input]) {
  for input in inputs { bench.process(input) }
}
