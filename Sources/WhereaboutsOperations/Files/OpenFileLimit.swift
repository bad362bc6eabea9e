import WhereaboutsSystem

/// The limit of open files for this process.
package enum OpenFileLimit {
  #if os(Linux) && canImport(Glibc)
    private static let files = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
  #else
    private static let files = RLIMIT_NOFILE
  #endif
  /// The open files of a command with a live source, a store and an upload, plus a reserve.
  private static let needed: rlim_t = 40
  /// The open files of a server with all its connections, plus those of its devices.
  private static let neededByServer: rlim_t = 65_536

  /// Raises the limit to the need of the commands, as far as the system allows.
  package static func ensure() throws(CommandError) {
    let allowed = raise(to: needed)
    guard allowed >= needed else {
      throw CommandError(
        "could not start: the process needs \(needed) open files, and its limit is \(allowed). "
          + "Raise the limit with `ulimit -n 256`, or with LimitNOFILE= in a service.")
    }
  }

  /// Raises the limit for a server, as far as the system allows: each connection is an open file, and a shell often
  /// permits 1,024.
  package static func raiseForServer() { raise(to: neededByServer) }

  /// Raises the limit, as far as the system allows.
  ///
  /// - Returns: the limit since then; the wanted one where it is not known.
  @discardableResult private static func raise(to wanted: rlim_t) -> rlim_t {
    var limit = rlimit()
    guard getrlimit(files, &limit) == 0, limit.rlim_cur < wanted else { return wanted }
    let before = limit.rlim_cur
    limit.rlim_cur = min(wanted, limit.rlim_max)
    return setrlimit(files, &limit) == 0 ? limit.rlim_cur : before
  }
}
