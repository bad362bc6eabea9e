// Random delays around the start of every task: `Scripts/test --delays` loads this library into the tests and into the
// programs that they start. A test whose outcome depends on which of two tasks comes first then fails soon.
//
// Swift's concurrency library calls a hook, if one is set, for each job that becomes ready to run
// (`stdlib/public/Concurrency/GlobalExecutor.cpp` of the Swift project). A delay before the job is handed on lets others
// overtake it; a delay after it lets it overtake the task that made it.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define SWIFT_CALL __attribute__((swiftcall))
typedef SWIFT_CALL void (*Enqueue)(void *job);

// One job in so many is delayed, before and after it is handed on.
static uint64_t one_in = 10;
// The longest delay, in milliseconds; one delay in a hundred is ten times as long.
static uint64_t longest = 15;

static void delay(void) {
  // xorshift64 (Marsaglia, 2003), begun with the time and an address that differs from thread to thread.
  static __thread uint64_t random;
  if (random == 0) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    random = ((uint64_t)now.tv_nsec << 20 ^ (uint64_t)(uintptr_t)&random) | 1;
  }
  random ^= random << 13;
  random ^= random >> 7;
  random ^= random << 17;
  if ((random >> 16) % one_in != 0) return;
  uint64_t drawn = random >> 32;
  uint64_t microseconds = drawn % (longest * 1000) * (drawn % 100 == 0 ? 10 : 1);
  struct timespec pause = {microseconds / 1000000, microseconds % 1000000 * 1000};
  nanosleep(&pause, NULL);
}

SWIFT_CALL static void enqueue_with_delays(void *job, Enqueue enqueue) {
  delay();
  enqueue(job);
  delay();
}

static uint64_t setting(const char *name, uint64_t standard) {
  const char *text = getenv(name);
  uint64_t value = text ? strtoull(text, NULL, 10) : 0;
  return value > 0 && value <= 1000000 ? value : standard;
}

__attribute__((constructor)) static void set_hook(void) {
  one_in = setting("DELAYS_ONE_IN", one_in);
  longest = setting("DELAYS_LONGEST", longest);
  // The package manager, which starts the tests.
  if (strncmp(program_invocation_short_name, "swift-", 6) == 0) return;
  // Absent in programs without Swift.
  void **hook = dlsym(RTLD_DEFAULT, "swift_task_enqueueGlobal_hook");
  if (hook) *hook = (void *)enqueue_with_delays;
}
