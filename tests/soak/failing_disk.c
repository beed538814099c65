/* Fail one write below a folder: loaded by LD_PRELOAD into the processes whose writes are counted.

   SOAK_FOLDER     the folder whose writes count
   SOAK_COUNTER    a file of three 64-bit numbers that all processes share: writes so far, which of them fails (0: none), and
                   the number of its error (28: no space, 5: input/output; 0: the process is killed)

   A write is any call that changes what is on the disk: of bytes, lengths, names and folders, and their flushing. */

#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <unistd.h>

static const char *folder;
static size_t folder_length;
static volatile uint64_t *counter;

__attribute__((constructor)) static void begin(void)
{
    const char *path = getenv("SOAK_COUNTER");
    folder = getenv("SOAK_FOLDER");
    if (!path || !folder)
        return;
    folder_length = strlen(folder);
    int file = (int)syscall(SYS_openat, AT_FDCWD, path, O_RDWR | O_CLOEXEC);
    if (file < 0)
        return;
    void *shared = mmap(NULL, 3 * sizeof *counter, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    if (shared != MAP_FAILED)
        counter = shared;
    close(file);
}

static int is_below(const char *path) { return strncmp(path, folder, folder_length) == 0; }

static int is_file_below(int file)
{
    char link[32], path[PATH_MAX];
    snprintf(link, sizeof link, "/proc/self/fd/%d", file);
    ssize_t length = readlink(link, path, sizeof path - 1);
    if (length < 0)
        return 0;
    path[length] = 0;
    return is_below(path);
}

static int is_path_below(int base, const char *path)
{
    if (path[0] == '/')
        return is_below(path);
    if (base != AT_FDCWD)
        return is_file_below(base);
    char here[PATH_MAX];
    return getcwd(here, sizeof here) && is_below(here);
}

/* Count a write, and return whether it fails. */
static int fails(void)
{
    uint64_t number = __sync_add_and_fetch(&counter[0], 1);
    if (number != counter[1])
        return 0;
    if (counter[2] == 0) {
        kill(getpid(), SIGKILL);
        pause();
    }
    errno = (int)counter[2];
    return 1;
}

#define ORIGINAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))
#define ON_FILE(result, name, parameters, arguments)                                                                   \
    result name parameters                                                                                             \
    {                                                                                                                  \
        if (counter && is_file_below(file) && fails())                                                                 \
            return (result)-1;                                                                                         \
        return ORIGINAL(name) arguments;                                                                               \
    }
#define ON_PATH(name, parameters, arguments, base, path)                                                               \
    int name parameters                                                                                                \
    {                                                                                                                  \
        if (counter && is_path_below(base, path) && fails())                                                           \
            return -1;                                                                                                 \
        return ORIGINAL(name) arguments;                                                                               \
    }

ON_FILE(ssize_t, write, (int file, const void *bytes, size_t size), (file, bytes, size))
ON_FILE(ssize_t, pwrite, (int file, const void *bytes, size_t size, off_t at), (file, bytes, size, at))
ON_FILE(ssize_t, pwrite64, (int file, const void *bytes, size_t size, off64_t at), (file, bytes, size, at))
ON_FILE(ssize_t, writev, (int file, const struct iovec *parts, int count), (file, parts, count))
ON_FILE(int, fsync, (int file), (file))
ON_FILE(int, fdatasync, (int file), (file))
ON_FILE(int, ftruncate, (int file, off_t size), (file, size))
ON_FILE(int, ftruncate64, (int file, off64_t size), (file, size))
ON_FILE(ssize_t, sendfile, (int file, int from, off_t *at, size_t size), (file, from, at, size))
ON_FILE(ssize_t, sendfile64, (int file, int from, off64_t *at, size_t size), (file, from, at, size))
ON_PATH(rename, (const char *path, const char *to), (path, to), AT_FDCWD, path)
ON_PATH(renameat, (int base, const char *path, int other, const char *to), (base, path, other, to), base, path)
ON_PATH(link, (const char *path, const char *to), (path, to), AT_FDCWD, path)
ON_PATH(unlink, (const char *path), (path), AT_FDCWD, path)
ON_PATH(unlinkat, (int base, const char *path, int flags), (base, path, flags), base, path)
ON_PATH(mkdir, (const char *path, mode_t mode), (path, mode), AT_FDCWD, path)
ON_PATH(rmdir, (const char *path), (path), AT_FDCWD, path)

#define OPENING(name, parameters, base, ...)                                                                           \
    int name parameters                                                                                                \
    {                                                                                                                  \
        mode_t mode = 0;                                                                                               \
        if (flags & (O_CREAT | __O_TMPFILE)) {                                                                         \
            va_list rest;                                                                                              \
            va_start(rest, flags);                                                                                     \
            mode = va_arg(rest, mode_t);                                                                               \
            va_end(rest);                                                                                              \
        }                                                                                                              \
        if (counter && (flags & (O_CREAT | O_TRUNC)) && is_path_below(base, path) && fails())                          \
            return -1;                                                                                                 \
        return ORIGINAL(name)(__VA_ARGS__);                                                                            \
    }

OPENING(open, (const char *path, int flags, ...), AT_FDCWD, path, flags, mode)
OPENING(open64, (const char *path, int flags, ...), AT_FDCWD, path, flags, mode)
OPENING(openat, (int base, const char *path, int flags, ...), base, base, path, flags, mode)
OPENING(openat64, (int base, const char *path, int flags, ...), base, base, path, flags, mode)
