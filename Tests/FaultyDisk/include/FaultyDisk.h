#ifndef FAULTY_DISK_H
#define FAULTY_DISK_H

#include <stdbool.h>
#include <stdint.h>

// A layer between SQLite and the disk (a VFS; https://sqlite.org/vfs.html) that counts what is written, kills its own
// process at a chosen write, and writes down everything that was written, synced and cut, in order.

// Puts the layer over the default VFS of this process; every database that is opened from then on goes through it.
bool faulty_disk_install(void);

// Returns the number of writes, syncs, truncations and deletions until now.
uint64_t faulty_disk_operations(void);

// Kills this process (SIGKILL) in the midst of the operation of that number, counted from 1: of a write, after `percent`
// hundredths of its bytes; 0 before anything of it and of others before it is done, above 99 after it.
void faulty_disk_kill_at(uint64_t operation, unsigned percent);

// From now on syncs are said to be done and are not: what a test must notice.
void faulty_disk_skip_syncs(void);

// Writes everything down in a file from now on. What is written down is in the order in which it was done.
bool faulty_disk_record(const char *path);

// Writes a number down, in its place among the writes.
void faulty_disk_mark(uint64_t number);

// Whether SQLite finds nothing wrong with a database; else what it says is put into `message`. It is recovered by that as
// by any opening, so ask of a copy.
bool faulty_disk_is_whole(const char *path, char *message, int size);

// The recorded operations: records of this form, each followed by `length` bytes.
enum {
  FAULTY_DISK_WRITE = 1,
  FAULTY_DISK_SYNC = 2,
  FAULTY_DISK_TRUNCATE = 3,
  FAULTY_DISK_DELETE = 4,
  FAULTY_DISK_MARK = 5,
};

enum { FAULTY_DISK_DATABASE = 0, FAULTY_DISK_WAL = 1, FAULTY_DISK_JOURNAL = 2, FAULTY_DISK_OTHER = 3 };

struct faulty_disk_record_header {
  uint8_t operation;
  uint8_t file;
  uint16_t reserved;
  uint32_t length;
  // Of a write, where; of a truncation, to what size; of a mark, its number.
  uint64_t offset;
};

#endif
