// Rows a second that SQLite alone can store: transactions of some rows, each synced, on a table of a fix's size with a
// key of device and number. Usage: sqlite_groups FILE ROWS_A_TRANSACTION SECONDS
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return t.tv_sec + t.tv_nsec * 1e-9;
}

static void check(sqlite3 *db, int code) {
  if (code == SQLITE_OK || code == SQLITE_DONE) return;
  fprintf(stderr, "%s\n", sqlite3_errmsg(db));
  exit(1);
}

int main(int count, char **arguments) {
  if (count != 4) return 2;
  int group = atoi(arguments[2]);
  double seconds = atof(arguments[3]);
  sqlite3 *db;
  check(0, sqlite3_open(arguments[1], &db));
  check(db, sqlite3_exec(db,
    "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; CREATE TABLE fix (device INTEGER, number INTEGER, time INTEGER,"
    "latitude REAL, longitude REAL, accuracy REAL, speed REAL, course REAL, altitude REAL, use TEXT, source TEXT,"
    "PRIMARY KEY (device, number)) WITHOUT ROWID", 0, 0, 0));
  sqlite3_stmt *insert, *begin, *commit;
  check(db, sqlite3_prepare_v2(db, "INSERT INTO fix VALUES (?,?,?,?,?,8,10,0,200,'used','owntracks')", -1, &insert, 0));
  check(db, sqlite3_prepare_v2(db, "BEGIN IMMEDIATE", -1, &begin, 0));
  check(db, sqlite3_prepare_v2(db, "COMMIT", -1, &commit, 0));
  long rows = 0;
  double start = now();
  while (now() - start < seconds) {
    check(db, sqlite3_step(begin)); sqlite3_reset(begin);
    for (int i = 0; i < group; i++, rows++) {
      sqlite3_bind_int64(insert, 1, i);
      sqlite3_bind_int64(insert, 2, rows);
      sqlite3_bind_int64(insert, 3, 1700000000000000000 + rows * 1000000000L);
      sqlite3_bind_double(insert, 4, 45 + i * 0.05);
      sqlite3_bind_double(insert, 5, 5 + i * 0.05);
      check(db, sqlite3_step(insert)); sqlite3_reset(insert);
    }
    check(db, sqlite3_step(commit)); sqlite3_reset(commit);
  }
  printf("%.0f\n", rows / (now() - start));
  return 0;
}
