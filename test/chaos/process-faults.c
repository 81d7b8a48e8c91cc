/*
 * LD_PRELOAD loads this library into a process. The library simulates a disk that is slow to sync, and a clock that jumps.
 *
 * CHAOS_CONTROL names a file of two 64-bit integers. The test changes them while the process runs:
 *   1. the additional duration of every fsync and fdatasync, in microseconds;
 *   2. the offset of the time of day, in seconds: clock_gettime(CLOCK_REALTIME), gettimeofday and time.
 * Clocks that count from the start of the machine stay correct, as they do when an administrator or NTP sets the clock.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

struct control {
  volatile int64_t sync_delay_us;
  volatile int64_t clock_offset_s;
};

static const struct control *control;

__attribute__((constructor)) static void open_control(void) {
  const char *path = getenv("CHAOS_CONTROL");
  int file = path == NULL ? -1 : open(path, O_RDONLY | O_CLOEXEC);
  if (file < 0) return;
  void *memory = mmap(NULL, sizeof(struct control), PROT_READ, MAP_SHARED, file, 0);
  if (memory != MAP_FAILED) control = memory;
  close(file);
}

static int64_t offset(void) { return control == NULL ? 0 : control->clock_offset_s; }

static void wait_for_disk(void) {
  int64_t us = control == NULL ? 0 : control->sync_delay_us;
  if (us <= 0) return;
  struct timespec pause = {us / 1000000, us % 1000000 * 1000};
  while (nanosleep(&pause, &pause) != 0) {
  }
}

int fsync(int file) {
  wait_for_disk();
  return (int)syscall(SYS_fsync, file);
}

int fdatasync(int file) {
  wait_for_disk();
  return (int)syscall(SYS_fdatasync, file);
}

int clock_gettime(clockid_t clock, struct timespec *now) {
  int failed = (int)syscall(SYS_clock_gettime, clock, now);
  if (failed == 0 && (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE)) now->tv_sec += offset();
  return failed;
}

int gettimeofday(struct timeval *restrict now, void *restrict zone) {
  int failed = (int)syscall(SYS_gettimeofday, now, zone);
  if (failed == 0) now->tv_sec += offset();
  return failed;
}

time_t time(time_t *result) {
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  if (result != NULL) *result = now.tv_sec;
  return now.tv_sec;
}
