// The least that a reader over expat does: places, heights and times of track points, into one sum.
// build: cc -O3 gpx_expat.c -lexpat   usage: gpx_expat FILE
#include <expat.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct reader {
  long points;
  double sum;
  char text[64];
  int length, collects;
};

static void began(void *context, const char *name, const char **attributes) {
  struct reader *reader = context;
  reader->collects = strcmp(name, "ele") == 0 || strcmp(name, "time") == 0;
  reader->length = 0;
  if (strcmp(name, "trkpt") != 0) return;
  reader->points++;
  for (; attributes[0]; attributes += 2)
    if (strcmp(attributes[0], "lat") == 0 || strcmp(attributes[0], "lon") == 0)
      reader->sum += strtod(attributes[1], NULL);
}

static void ended(void *context, const char *name) {
  struct reader *reader = context;
  if (!reader->collects) return;
  reader->collects = 0;
  reader->text[reader->length] = 0;
  // Heights as numbers, times by their parts; kept alive, not summed.
  volatile double value;
  if (strcmp(name, "ele") == 0) value = strtod(reader->text, NULL);
  else for (char *part = reader->text; *part;) value = strtol(part, &part, 10), part += *part != 0;
  (void)value;
}

static void heard(void *context, const char *bytes, int count) {
  struct reader *reader = context;
  if (!reader->collects || reader->length + count >= (int)sizeof reader->text) return;
  memcpy(reader->text + reader->length, bytes, count);
  reader->length += count;
}

int main(int count, char **arguments) {
  FILE *file = count > 1 ? fopen(arguments[1], "rb") : NULL;
  if (!file) return 1;
  struct reader reader = {0};
  XML_Parser parser = XML_ParserCreate(NULL);
  XML_SetUserData(parser, &reader);
  XML_SetElementHandler(parser, began, ended);
  XML_SetCharacterDataHandler(parser, heard);
  static char chunk[65536];
  size_t got;
  do {
    got = fread(chunk, 1, sizeof chunk, file);
    if (XML_Parse(parser, chunk, (int)got, got == 0) == XML_STATUS_ERROR) return 1;
  } while (got > 0);
  printf("expat  points %ld sum %.3f\n", reader.points, reader.sum);
}
