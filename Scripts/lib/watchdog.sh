# Runs `swift test` and ends it when it hangs. Scripts source this file. Needs a POSIX shell and awk.

# watch_tests SECONDS COMMAND…: runs a `swift test` command. When nothing has ended for SECONDS, prints the tests that
# have not ended and the threads' backtraces, kills the run and returns 3. Otherwise returns 0, or 1 if the command failed.
# Leaves the failed tests in $failed_tests, one a line; none if the run crashed.
watch_tests() {
  limit=$1
  shift
  mkdir -p .build
  # Beside the build, named for this run: several may run at the same time.
  events=$(pwd)/.build/test-events.$$
  # An earlier run of the same script has left its process and its hang.
  rm -f "$events".*
  : >"$events"
  trap 'rm -f "$events" "$events".*' EXIT
  trap 'exit 130' INT
  trap 'exit 143' TERM HUP
  watch_for_hang "$limit" &
  watchdog=$!
  code=0
  # In the foreground, since what a shell starts in the background ignores INT and QUIT, and so do its children. The
  # first line of the new process tells the watchdog its number.
  sh -c 'echo $$ >"$0.process"; exec "$@"' "$events" \
    "$@" --event-stream-output-path "$events" --event-stream-version 0 || code=$?
  kill "$watchdog" 2>/dev/null || true
  if [ -e "$events.hung" ]; then return 3; fi
  failed_tests=
  if [ "$code" -ne 0 ]; then
    report_issues <"$events" >&2
    # A run that crashed has no end.
    if grep -q '"kind":"runEnded"' "$events"; then failed_tests=$(tests_with_issues <"$events"); fi
    return 1
  fi
}

# Reads an event stream and prints each test with an issue, without its place in the file.
tests_with_issues() {
  awk '
    /"kind":"issueRecorded"/ && !/"isKnown":true/ {
      test = $0
      if (!sub(/^.*"testID":"/, "", test)) next
      sub(/".*$/, "", test)
      gsub(/\\\//, "/", test)
      sub(/\/[^\/]*\.swift:[0-9]+:[0-9]+$/, "", test)
      if (!(test in seen)) print test
      seen[test] = 1
    }
  '
}

# Reads an event stream and prints each issue with its test, so that the end of a long output says what failed.
report_issues() {
  awk '
    /"kind":"issueRecorded"/ && !/"isKnown":true/ {
      text = $0
      sub(/^.*"messages":\[/, "", text)
      sub(/\],"testID".*$/, "", text)
      gsub(/\{"symbol":"[a-zA-Z]*","text":"/, "", text)
      gsub(/"\},?/, "  ", text)
      test = $0
      sub(/^.*"testID":"/, "", test)
      sub(/".*$/, "", test)
      gsub(/\\\//, "/", test)
      print "✘ " test ": " substr(text, 1, 600)
      count++
    }
    END { if (count) print "Issues in all: " count }
  '
}

# Reads names of tests, one a line, and returns whether each of them has ended in the last run.
have_ended() {
  while read -r test; do
    grep '"kind":"testEnded"' "$events" | sed 's,\\/,/,g' | grep -qF "\"testID\":\"$test/" || return 1
  done
}

# Looks every few seconds whether a test or a case has ended. Before the first event the tests are being built.
watch_for_hang() {
  ended=0
  idle=0
  while sleep 5 >/dev/null 2>&1; do
    # On a busy machine the process may begin later.
    if [ ! -s "$events.process" ] && [ -e "$events" ]; then continue; fi
    tests=$(cat "$events.process" 2>/dev/null) && kill -0 "$tests" 2>/dev/null || return 0
    if [ ! -s "$events" ]; then continue; fi
    now=$(grep -c -e '"kind":"testCaseEnded"' -e '"kind":"testEnded"' -e '"kind":"runEnded"' "$events" || true)
    if [ "$now" != "$ended" ]; then
      ended=$now
      idle=0
      continue
    fi
    idle=$((idle + 5))
    if [ "$idle" -lt "$1" ]; then continue; fi
    : >"$events.hung"
    report_hang "$1" >&2
    kill_tree KILL "$tests"
    return
  done
}

report_hang() {
  echo
  echo "The tests hang: nothing has ended for $1 s. These have started and not ended; where there are more than the width,"
  echo "some only wait for a place:"
  unfinished_tests <"$events"
  # The runtime answers QUIT with the backtraces of all threads, and ends the process.
  for process in $(descendants "$tests"); do
    case $(process_command "$process") in
    *.xctest* | *swiftpm-testing-helper*) kill -QUIT "$process" 2>/dev/null || true ;;
    esac
  done
  rest=120
  while [ "$rest" -gt 0 ] && kill -0 "$tests" 2>/dev/null; do
    sleep 1
    rest=$((rest - 1))
  done
}

# Reads an event stream and prints what has started and not ended: cases of a test with their arguments, and tests
# without arguments, of which the stream has no cases.
unfinished_tests() {
  awk '
    function field(name,   start, text) {
      start = index($0, "\"" name "\":\"")
      if (!start) return ""
      text = substr($0, start + length(name) + 4)
      gsub(/\\\//, "/", text)
      gsub(/\\"/, "\001", text)
      sub(/".*/, "", text)
      gsub(/\001/, "\"", text)
      return text
    }
    /"kind":"function"/ && /"isParameterized":false/ { alone[field("id")] = 1 }
    /"kind":"testCaseStarted"/ { running[field("testID") "  " field("displayName")]++ }
    /"kind":"testCaseEnded"/ { running[field("testID") "  " field("displayName")]-- }
    /"kind":"testStarted"/ && field("testID") in alone { running[field("testID")]++ }
    /"kind":"testEnded"/ && field("testID") in alone { running[field("testID")]-- }
    END { for (test in running) if (running[test] > 0) print "  " test }
  ' | sort
}

# The processes that a process has started, and those that they have, one a line. `ps` is no part of a bare system.
descendants() {
  if [ -d /proc/self ]; then
    cat /proc/[0-9]*/stat 2>/dev/null | awk '{ process = $1; sub(/^.*\) /, ""); print process, $2 }'
  else
    ps -A -o pid= -o ppid=
  fi | awk -v root="$1" '
    { parent[$1] = $2 }
    END {
      for (process in parent) {
        above = process
        for (depth = 0; depth < 64 && above in parent; depth++) {
          above = parent[above]
          if (above == root) { print process; break }
        }
      }
    }'
}

process_command() {
  if [ -d /proc/self ]; then tr '\0' ' ' <"/proc/$1/cmdline" 2>/dev/null || true; else ps -o command= -p "$1"; fi
}

# kill_tree SIGNAL PROCESS: a process and all that it has started.
kill_tree() {
  for process in $(descendants "$2") "$2"; do kill "-$1" "$process" 2>/dev/null || true; done
}
