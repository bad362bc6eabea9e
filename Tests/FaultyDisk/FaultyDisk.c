#include "FaultyDisk.h"

#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// Guards everything below, and keeps what is written down in the order in which it is done.
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static uint64_t operations = 0;
static uint64_t kill_operation = 0;
static unsigned kill_percent = 0;
static bool skips_syncs = false;
static int record_descriptor = -1;
static sqlite3_vfs *below = NULL;

struct faulty_file {
  sqlite3_file base;
  sqlite3_file *real;
  uint8_t kind;
};

static sqlite3_file *real_of(sqlite3_file *file) { return ((struct faulty_file *)file)->real; }

static void write_all(int descriptor, const void *bytes, size_t count) {
  while (count > 0) {
    ssize_t written = write(descriptor, bytes, count);
    if (written <= 0) abort();
    bytes = (const char *)bytes + written;
    count -= (size_t)written;
  }
}

static void note(uint8_t operation, uint8_t file, const void *bytes, uint32_t length, uint64_t offset) {
  if (record_descriptor < 0) return;
  struct faulty_disk_record_header header = {operation, file, 0, length, offset};
  write_all(record_descriptor, &header, sizeof header);
  if (length > 0) write_all(record_descriptor, bytes, length);
}

static void die(void) {
  kill(getpid(), SIGKILL);
  // The signal may reach another thread first.
  for (;;) pause();
}

// Counts an operation, and says whether the process ends in it.
static bool is_last(void) {
  operations += 1;
  if (operations != kill_operation) return false;
  if (kill_percent == 0) die();
  return true;
}

static uint8_t kind_of(int flags) {
  if (flags & SQLITE_OPEN_MAIN_DB) return FAULTY_DISK_DATABASE;
  if (flags & SQLITE_OPEN_WAL) return FAULTY_DISK_WAL;
  if (flags & SQLITE_OPEN_MAIN_JOURNAL) return FAULTY_DISK_JOURNAL;
  return FAULTY_DISK_OTHER;
}

// MARK: What is counted

static int faulty_write(sqlite3_file *file, const void *bytes, int length, sqlite3_int64 offset) {
  struct faulty_file *self = (struct faulty_file *)file;
  pthread_mutex_lock(&lock);
  if (is_last()) {
    int part = (int)((long long)length * (kill_percent > 100 ? 100 : kill_percent) / 100);
    if (part > 0) self->real->pMethods->xWrite(self->real, bytes, part, offset);
    die();
  }
  int result = self->real->pMethods->xWrite(self->real, bytes, length, offset);
  if (result == SQLITE_OK) note(FAULTY_DISK_WRITE, self->kind, bytes, (uint32_t)length, (uint64_t)offset);
  pthread_mutex_unlock(&lock);
  return result;
}

static int faulty_sync(sqlite3_file *file, int flags) {
  struct faulty_file *self = (struct faulty_file *)file;
  pthread_mutex_lock(&lock);
  bool dies = is_last();
  int result = SQLITE_OK;
  if (!skips_syncs) {
    result = self->real->pMethods->xSync(self->real, flags);
    if (result == SQLITE_OK) note(FAULTY_DISK_SYNC, self->kind, NULL, 0, 0);
  }
  if (dies) die();
  pthread_mutex_unlock(&lock);
  return result;
}

static int faulty_truncate(sqlite3_file *file, sqlite3_int64 size) {
  struct faulty_file *self = (struct faulty_file *)file;
  pthread_mutex_lock(&lock);
  bool dies = is_last();
  int result = self->real->pMethods->xTruncate(self->real, size);
  if (result == SQLITE_OK) note(FAULTY_DISK_TRUNCATE, self->kind, NULL, 0, (uint64_t)size);
  if (dies) die();
  pthread_mutex_unlock(&lock);
  return result;
}

static uint8_t kind_of_name(const char *name) {
  size_t length = strlen(name);
  if (length > 4 && strcmp(name + length - 4, "-wal") == 0) return FAULTY_DISK_WAL;
  if (length > 8 && strcmp(name + length - 8, "-journal") == 0) return FAULTY_DISK_JOURNAL;
  return FAULTY_DISK_OTHER;
}

static int faulty_delete(sqlite3_vfs *vfs, const char *name, int sync_directory) {
  pthread_mutex_lock(&lock);
  bool dies = is_last();
  int result = below->xDelete(below, name, sync_directory);
  if (result == SQLITE_OK) note(FAULTY_DISK_DELETE, kind_of_name(name), NULL, 0, (uint64_t)sync_directory);
  if (dies) die();
  pthread_mutex_unlock(&lock);
  return result;
}

// MARK: What is passed on

static int faulty_close(sqlite3_file *file) {
  sqlite3_file *real = real_of(file);
  int result = real->pMethods ? real->pMethods->xClose(real) : SQLITE_OK;
  free((void *)file->pMethods);
  file->pMethods = NULL;
  return result;
}

static int faulty_read(sqlite3_file *file, void *bytes, int length, sqlite3_int64 offset) {
  return real_of(file)->pMethods->xRead(real_of(file), bytes, length, offset);
}

static int faulty_size(sqlite3_file *file, sqlite3_int64 *size) {
  return real_of(file)->pMethods->xFileSize(real_of(file), size);
}

static int faulty_lock(sqlite3_file *file, int level) {
  return real_of(file)->pMethods->xLock(real_of(file), level);
}

static int faulty_unlock(sqlite3_file *file, int level) {
  return real_of(file)->pMethods->xUnlock(real_of(file), level);
}

static int faulty_check_lock(sqlite3_file *file, int *result) {
  return real_of(file)->pMethods->xCheckReservedLock(real_of(file), result);
}

static int faulty_control(sqlite3_file *file, int operation, void *argument) {
  return real_of(file)->pMethods->xFileControl(real_of(file), operation, argument);
}

static int faulty_sector_size(sqlite3_file *file) {
  return real_of(file)->pMethods->xSectorSize(real_of(file));
}

static int faulty_characteristics(sqlite3_file *file) {
  return real_of(file)->pMethods->xDeviceCharacteristics(real_of(file));
}

static int faulty_shm_map(sqlite3_file *file, int region, int size, int extends, void volatile **memory) {
  return real_of(file)->pMethods->xShmMap(real_of(file), region, size, extends, memory);
}

static int faulty_shm_lock(sqlite3_file *file, int offset, int count, int flags) {
  return real_of(file)->pMethods->xShmLock(real_of(file), offset, count, flags);
}

static void faulty_shm_barrier(sqlite3_file *file) { real_of(file)->pMethods->xShmBarrier(real_of(file)); }

static int faulty_shm_unmap(sqlite3_file *file, int deletes) {
  return real_of(file)->pMethods->xShmUnmap(real_of(file), deletes);
}

static int faulty_open(sqlite3_vfs *vfs, sqlite3_filename name, sqlite3_file *file, int flags, int *result_flags) {
  struct faulty_file *self = (struct faulty_file *)file;
  file->pMethods = NULL;
  self->real = (sqlite3_file *)(self + 1);
  self->real->pMethods = NULL;
  self->kind = kind_of(flags);
  int result = below->xOpen(below, name, self->real, flags, result_flags);
  if (result != SQLITE_OK || self->real->pMethods == NULL) return result;
  sqlite3_io_methods *methods = calloc(1, sizeof *methods);
  if (methods == NULL) {
    self->real->pMethods->xClose(self->real);
    return SQLITE_NOMEM;
  }
  *methods = (sqlite3_io_methods){
      // Not 3: what is read and written through mapped memory would pass this layer by.
      .iVersion = self->real->pMethods->iVersion > 2 ? 2 : self->real->pMethods->iVersion,
      .xClose = faulty_close,
      .xRead = faulty_read,
      .xWrite = faulty_write,
      .xTruncate = faulty_truncate,
      .xSync = faulty_sync,
      .xFileSize = faulty_size,
      .xLock = faulty_lock,
      .xUnlock = faulty_unlock,
      .xCheckReservedLock = faulty_check_lock,
      .xFileControl = faulty_control,
      .xSectorSize = faulty_sector_size,
      .xDeviceCharacteristics = faulty_characteristics,
      .xShmMap = faulty_shm_map,
      .xShmLock = faulty_shm_lock,
      .xShmBarrier = faulty_shm_barrier,
      .xShmUnmap = faulty_shm_unmap,
  };
  file->pMethods = methods;
  return SQLITE_OK;
}

// MARK: The process's side

bool faulty_disk_install(void) {
  static sqlite3_vfs layer;
  if (below != NULL) return true;
  below = sqlite3_vfs_find(NULL);
  if (below == NULL) return false;
  layer = *below;
  layer.zName = "faulty";
  layer.pNext = NULL;
  layer.szOsFile = (int)sizeof(struct faulty_file) + below->szOsFile;
  layer.xOpen = faulty_open;
  layer.xDelete = faulty_delete;
  return sqlite3_vfs_register(&layer, 1) == SQLITE_OK;
}

uint64_t faulty_disk_operations(void) {
  pthread_mutex_lock(&lock);
  uint64_t count = operations;
  pthread_mutex_unlock(&lock);
  return count;
}

void faulty_disk_kill_at(uint64_t operation, unsigned percent) {
  pthread_mutex_lock(&lock);
  kill_operation = operation;
  kill_percent = percent;
  pthread_mutex_unlock(&lock);
}

void faulty_disk_skip_syncs(void) {
  pthread_mutex_lock(&lock);
  skips_syncs = true;
  pthread_mutex_unlock(&lock);
}

bool faulty_disk_record(const char *path) {
  pthread_mutex_lock(&lock);
  record_descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  bool is_open = record_descriptor >= 0;
  pthread_mutex_unlock(&lock);
  return is_open;
}

void faulty_disk_mark(uint64_t number) {
  pthread_mutex_lock(&lock);
  note(FAULTY_DISK_MARK, FAULTY_DISK_OTHER, NULL, 0, number);
  pthread_mutex_unlock(&lock);
}

// MARK: What SQLite says

static int take_line(void *message, int count, char **values, char **names) {
  (void)names;
  if (count > 0 && values[0] && ((char **)message)[0][0] == 0) {
    strncpy(((char **)message)[0], values[0], (size_t)(uintptr_t)((char **)message)[1]);
  }
  return 0;
}

bool faulty_disk_is_whole(const char *path, char *message, int size) {
  message[0] = 0;
  message[size - 1] = 0;
  char *into[2] = {message, (char *)(uintptr_t)(size - 1)};
  sqlite3 *database = NULL;
  int result = sqlite3_open_v2(path, &database, SQLITE_OPEN_READWRITE, NULL);
  if (result == SQLITE_OK) {
    sqlite3_busy_timeout(database, 5000);
    result = sqlite3_exec(database, "PRAGMA integrity_check", take_line, into, NULL);
  }
  if (result != SQLITE_OK) strncpy(message, sqlite3_errmsg(database), (size_t)size - 1);
  sqlite3_close(database);
  return result == SQLITE_OK && strcmp(message, "ok") == 0;
}
