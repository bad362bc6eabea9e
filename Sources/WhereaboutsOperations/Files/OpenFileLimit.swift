import WhereaboutsSystem

/// The limit of open files for this process.
package enum OpenFileLimit {
  /// The open files of a command with a live source, a store and an upload, plus a reserve.
  private static let needed: rlim_t = 40

  /// Raises the limit to the need of the commands, as far as the system allows.
  package static func ensure() throws(CommandError) {
    #if os(Linux) && canImport(Glibc)
      let files = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
    #else
      let files = RLIMIT_NOFILE
    #endif
    var limit = rlimit()
    guard getrlimit(files, &limit) == 0, limit.rlim_cur < needed else { return }
    let allowed = limit.rlim_max
    limit.rlim_cur = min(needed, allowed)
    guard setrlimit(files, &limit) == 0, allowed >= needed else {
      throw CommandError(
        "could not start: the process needs \(needed) open files, and its limit is \(allowed). "
          + "Raise the limit with `ulimit -n 256`, or with LimitNOFILE= in a service.")
    }
  }
}
