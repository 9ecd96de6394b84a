#pragma once
/* What Swift's Glibc module cannot see: Linux system calls, and functions that need _GNU_SOURCE.
 * _GNU_SOURCE itself must never reach this header: Swift's own clang modules are built without it. */
#include <stdbool.h>
#include <stdint.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>

/* accept4 with SOCK_NONBLOCK | SOCK_CLOEXEC; the peer's address is not wanted. */
int clinux_accept(int listener);

/* Names the calling thread, at most 15 bytes: what ps -L and gdb show. */
void clinux_name_thread(const char *name);

/* Joins a thread (a pthread_t) if it has ended: 0, or EBUSY. */
int clinux_join_if_ended(unsigned long thread);

/* Takes an exclusive lock on a whole open file without waiting: 0, or -1 with errno EWOULDBLOCK. */
int clinux_lock_file(int fd);

/* Gives that lock back, also where a child between fork and exec holds a copy of the descriptor. */
void clinux_unlock_file(int fd);

/* Whether somebody holds that lock on the file: 1 or 0. Looks by taking a shared lock for a moment. */
int clinux_file_is_locked(int fd);

/* Raises the soft limit of open files to the hard one, and returns it. */
uint64_t clinux_raise_open_files_limit(void);

/* The hard limit of open files. */
uint64_t clinux_hard_open_files_limit(void);

/* Whether an NTP daemon keeps the clock right, by the kernel's word (STA_UNSYNC): 1, 0, or -1 when it cannot be asked. */
int clinux_clock_is_synchronized(void);

/* Resident set size of this process in bytes; 0 when /proc is not there. */
uint64_t clinux_resident_bytes(void);

/* A signalfd for the signals in `mask` (bit n-1 is signal n), which are blocked in the calling thread first.
 * Call before the first other thread starts, so that every thread inherits the blocked mask. */
int clinux_signal_descriptor(uint64_t mask);

/* Reads one signal number from a signalfd: 0 when none is waiting. */
int clinux_read_signal(int fd);

/* Forks and executes argv[0] with `environment` (NULL: ours), signals unblocked, descriptors above 2 closed.
 * The child gets `parent_death_signal` when we die (0: nothing). With `own_group` it is in a process group of its
 * own, so that Ctrl-C in our terminal does not reach it. stdin is /dev/null; out and err as given (-1: inherited).
 * Returns the process id, or -1 with errno. */
int clinux_spawn(char *const argv[], char *const environment[], int parent_death_signal, int own_group, int out_fd,
                 int err_fd);
