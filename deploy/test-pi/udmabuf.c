/* Preloaded before libcamera: gives it dma buffers made of anonymous files, on kernels that have no provider of
 * them. Opening /dev/udmabuf or a /dev/dma_heap succeeds, the two allocating calls return an anonymous file, and
 * the calls that only keep caches in step do nothing. Everything else goes to the C library as it came. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <linux/dma-buf.h>
#include <linux/dma-heap.h>
#include <linux/udmabuf.h>
#include <stdarg.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

typedef int (*open_fn)(const char *, int, ...);
typedef int (*ioctl_fn)(int, unsigned long, ...);

static const char *replaced(const char *path) {
  int provider = path && (!strcmp(path, "/dev/udmabuf") || !strncmp(path, "/dev/dma_heap/", 14));
  return provider ? "/dev/null" : path;
}

static mode_t mode_of(int flags, va_list rest) {
  return (flags & (O_CREAT | O_TMPFILE)) ? va_arg(rest, mode_t) : 0;
}

int open(const char *path, int flags, ...) {
  va_list rest;
  va_start(rest, flags);
  mode_t mode = mode_of(flags, rest);
  va_end(rest);
  return ((open_fn)dlsym(RTLD_NEXT, "open"))(replaced(path), flags, mode);
}

int open64(const char *path, int flags, ...) {
  va_list rest;
  va_start(rest, flags);
  mode_t mode = mode_of(flags, rest);
  va_end(rest);
  return ((open_fn)dlsym(RTLD_NEXT, "open64"))(replaced(path), flags, mode);
}

static int anonymous(size_t length) {
  int file = memfd_create("dma", MFD_CLOEXEC | MFD_ALLOW_SEALING);
  return file >= 0 && ftruncate(file, length) == 0 ? file : -1;
}

int ioctl(int file, unsigned long call, ...) {
  va_list rest;
  va_start(rest, call);
  void *argument = va_arg(rest, void *);
  va_end(rest);
  switch (call) {
  case UDMABUF_CREATE:
    return fcntl(((struct udmabuf_create *)argument)->memfd, F_DUPFD_CLOEXEC, 0);
  case DMA_HEAP_IOCTL_ALLOC: {
    struct dma_heap_allocation_data *wanted = argument;
    int made = anonymous(wanted->len);
    if (made < 0)
      return -1;
    wanted->fd = made;
    return 0;
  }
  case DMA_BUF_IOCTL_SYNC:
  case DMA_BUF_SET_NAME_A:
  case DMA_BUF_SET_NAME_B:
    return 0;
  }
  return ((ioctl_fn)dlsym(RTLD_NEXT, "ioctl"))(file, call, argument);
}
