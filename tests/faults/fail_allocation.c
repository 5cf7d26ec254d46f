/* Makes one allocation of a program fail: with LD_PRELOAD and AREIA_FAIL_ALLOCATION=k the k-th call of malloc, calloc,
   realloc or an aligned allocation since the start of main returns no memory. With a "+" behind k all later ones do,
   too. AREIA_FAIL_THREAD=k is the same for the k-th thread that is started. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

extern void *__libc_malloc(size_t);
extern void *__libc_calloc(size_t, size_t);
extern void *__libc_realloc(void *, size_t);
extern void *__libc_memalign(size_t, size_t);

static atomic_long allocations, threads;
static long fail_at, fail_thread_at, and_later;
static atomic_int on;

static int fails(atomic_long *count, long at) {
  if (!atomic_load(&on) || at == 0) return 0;
  const long now = 1 + atomic_fetch_add(count, 1);
  return now == at || (and_later && now > at);
}

static void *none(void) {
  errno = ENOMEM;
  return NULL;
}

void *malloc(size_t n) { return fails(&allocations, fail_at) ? none() : __libc_malloc(n); }
void *calloc(size_t n, size_t m) { return fails(&allocations, fail_at) ? none() : __libc_calloc(n, m); }
void *realloc(void *p, size_t n) { return fails(&allocations, fail_at) ? none() : __libc_realloc(p, n); }
void *memalign(size_t a, size_t n) { return fails(&allocations, fail_at) ? none() : __libc_memalign(a, n); }
void *aligned_alloc(size_t a, size_t n) { return memalign(a, n); }
int posix_memalign(void **p, size_t a, size_t n) {
  *p = memalign(a, n);
  return *p ? 0 : ENOMEM;
}

int pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*start)(void *), void *argument) {
  static int (*real)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
  if (fails(&threads, fail_thread_at)) return EAGAIN;
  if (!real) *(void **)&real = dlsym(RTLD_NEXT, "pthread_create");
  return real(thread, attributes, start, argument);
}

/* What libraries allocate before main is not ours to survive. */
int __libc_start_main(int (*main)(int, char **, char **), int argc, char **argv, void (*init)(void), void (*fini)(void),
                      void (*rtld_fini)(void), void *stack_end) {
  int (*real)(int (*)(int, char **, char **), int, char **, void (*)(void), void (*)(void), void (*)(void), void *);
  *(void **)&real = dlsym(RTLD_NEXT, "__libc_start_main");
  const char *k = getenv("AREIA_FAIL_ALLOCATION"), *t = getenv("AREIA_FAIL_THREAD");
  fail_at = k ? atol(k) : 0;
  fail_thread_at = t ? atol(t) : 0;
  and_later = (k && strchr(k, '+')) || (t && strchr(t, '+'));
  atomic_store(&on, 1);
  return real(main, argc, argv, init, fini, rtld_fini, stack_end);
}
