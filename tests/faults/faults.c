// Loaded before the C library (LD_PRELOAD): makes one call of a program fail, or kills it there.
//
//   AREIA_FAULT=write:12:ENOSPC   the 12th write fails with this error; also fsync, rename, open, close, unlink, read
//   AREIA_FAULT=any:30:KILL       the process is killed at the 30th of all these calls
//   AREIA_FAULT=write:0           nothing fails
//   AREIA_FAULT_COUNT=FILE        how many there were is written there when the process ends by itself
//
// Calls count that reach into the folder named by AREIA_FAULT_IN; without one, all.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char call_name[16] = "";
static long at = 0;
static int error_number = 0, kills = 0;
static const char* folder = NULL;
static atomic_long count = 0;

static int error_of(const char* name) {
  if (strcmp(name, "ENOSPC") == 0) return ENOSPC;
  if (strcmp(name, "EACCES") == 0) return EACCES;
  if (strcmp(name, "EDQUOT") == 0) return EDQUOT;
  return EIO;
}

__attribute__((constructor)) static void begin(void) {
  const char* fault = getenv("AREIA_FAULT");
  char what[16] = "";
  if (fault && sscanf(fault, "%15[a-z]:%ld:%15s", call_name, &at, what) >= 2) {
    kills = strcmp(what, "KILL") == 0;
    error_number = error_of(what);
  }
  folder = getenv("AREIA_FAULT_IN");
}

__attribute__((destructor)) static void end(void) {
  const char* file = getenv("AREIA_FAULT_COUNT");
  char text[32];
  const int length = snprintf(text, sizeof text, "%ld\n", atomic_load(&count));
  call_name[0] = '\0';
  if (!file) return;
  const int descriptor = open(file, O_WRONLY | O_CREAT | O_TRUNC, 0666);
  if (descriptor < 0 || write(descriptor, text, (size_t)length) != length) return;
  close(descriptor);
}

static int inside(const char* path) {
  char whole[PATH_MAX];
  if (!folder) return 1;
  if (path[0] != '/') {
    char here[PATH_MAX];
    if (!getcwd(here, sizeof here) || snprintf(whole, sizeof whole, "%s/%s", here, path) < 0) return 0;
    path = whole;
  }
  return strncmp(path, folder, strlen(folder)) == 0;
}

static int inside_descriptor(int descriptor) {
  char link[64], path[PATH_MAX];
  if (!folder) return descriptor > 2;
  snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
  const ssize_t length = readlink(link, path, sizeof path - 1);
  if (length < 0) return 0;
  path[length] = '\0';
  return inside(path);
}

// Whether this call is the one that fails.
static int fails(const char* name) {
  if (strcmp(call_name, name) != 0 && strcmp(call_name, "any") != 0) return 0;
  if (atomic_fetch_add(&count, 1) + 1 != at) return 0;
  if (kills) raise(SIGKILL);
  errno = error_number;
  return 1;
}

#define REAL(result, name, ...)                                              \
  static result (*real)(__VA_ARGS__) = NULL;                                 \
  if (!real) real = (result(*)(__VA_ARGS__))dlsym(RTLD_NEXT, name)

ssize_t write(int descriptor, const void* bytes, size_t size) {
  REAL(ssize_t, "write", int, const void*, size_t);
  if (inside_descriptor(descriptor) && fails("write")) {
    // a disk that fills takes a part first
    if (error_number == ENOSPC && size > 1) return real(descriptor, bytes, size / 2);
    return -1;
  }
  // ... and nothing after it
  if (error_number == ENOSPC && !kills && at > 0 && strcmp(call_name, "write") == 0 && atomic_load(&count) >= at &&
      inside_descriptor(descriptor)) {
    errno = ENOSPC;
    return -1;
  }
  return real(descriptor, bytes, size);
}
ssize_t read(int descriptor, void* bytes, size_t size) {
  REAL(ssize_t, "read", int, void*, size_t);
  return inside_descriptor(descriptor) && fails("read") ? -1 : real(descriptor, bytes, size);
}
int fsync(int descriptor) {
  REAL(int, "fsync", int);
  return inside_descriptor(descriptor) && fails("fsync") ? -1 : real(descriptor);
}
int fdatasync(int descriptor) {
  REAL(int, "fdatasync", int);
  return inside_descriptor(descriptor) && fails("fsync") ? -1 : real(descriptor);
}
int close(int descriptor) {
  REAL(int, "close", int);
  const int fault = inside_descriptor(descriptor) && fails("close");
  const int error = errno, done = real(descriptor);  // a close that fails has closed
  if (!fault) return done;
  errno = error;
  return -1;
}
int rename(const char* from, const char* to) {
  REAL(int, "rename", const char*, const char*);
  return inside(to) && fails("rename") ? -1 : real(from, to);
}
int unlink(const char* path) {
  REAL(int, "unlink", const char*);
  return inside(path) && fails("unlink") ? -1 : real(path);
}
int open(const char* path, int flags, ...) {
  REAL(int, "open", const char*, int, ...);
  mode_t mode = 0;
  if (flags & O_CREAT) {
    va_list more;
    va_start(more, flags);
    mode = va_arg(more, mode_t);
    va_end(more);
  }
  return inside(path) && fails("open") ? -1 : real(path, flags, mode);
}
int open64(const char* path, int flags, ...) {
  mode_t mode = 0;
  if (flags & O_CREAT) {
    va_list more;
    va_start(more, flags);
    mode = va_arg(more, mode_t);
    va_end(more);
  }
  return open(path, flags, mode);
}
