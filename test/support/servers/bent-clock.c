/* The wall clock of a program, off by the seconds that a file says: looked at once a second. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static long shift(void) {
  static __thread long looked_at = 0, seconds = 0;
  struct timespec now;
  syscall(SYS_clock_gettime, CLOCK_MONOTONIC, &now);
  if (now.tv_sec == looked_at) return seconds;
  looked_at = now.tv_sec;
  char text[32] = {0};
  int file = open(getenv("CLOCK_SHIFT_FILE"), O_RDONLY);
  if (file < 0) return seconds;
  if (read(file, text, sizeof text - 1) > 0) seconds = atol(text);
  close(file);
  return seconds;
}

int clock_gettime(clockid_t clock, struct timespec *at) {
  int failed = syscall(SYS_clock_gettime, clock, at);
  if (!failed && clock == CLOCK_REALTIME) at->tv_sec += shift();
  return failed;
}

int gettimeofday(struct timeval *at, void *zone) {
  struct timespec now;
  (void)zone;
  clock_gettime(CLOCK_REALTIME, &now);
  at->tv_sec = now.tv_sec;
  at->tv_usec = now.tv_nsec / 1000;
  return 0;
}
