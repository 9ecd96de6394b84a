#define _GNU_SOURCE
#include "include/CLinux.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/timex.h>
#include <time.h>
#include <unistd.h>

int clinux_accept(int listener) {
    return accept4(listener, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC);
}

void clinux_name_thread(const char *name) {
    char shortened[16];
    snprintf(shortened, sizeof shortened, "%s", name);
    pthread_setname_np(pthread_self(), shortened);
}

int clinux_join_if_ended(unsigned long thread) { return pthread_tryjoin_np((pthread_t)thread, NULL); }

int clinux_lock_file(int fd) { return flock(fd, LOCK_EX | LOCK_NB); }

void clinux_unlock_file(int fd) { flock(fd, LOCK_UN); }

int clinux_file_is_locked(int fd) {
    if (flock(fd, LOCK_SH | LOCK_NB) != 0) return 1;
    flock(fd, LOCK_UN);
    return 0;
}

uint64_t clinux_raise_open_files_limit(void) {
    struct rlimit limit;
    if (getrlimit(RLIMIT_NOFILE, &limit) != 0) return 0;
    limit.rlim_cur = limit.rlim_max;
    setrlimit(RLIMIT_NOFILE, &limit);
    return getrlimit(RLIMIT_NOFILE, &limit) == 0 ? (uint64_t)limit.rlim_cur : 0;
}

uint64_t clinux_hard_open_files_limit(void) {
    struct rlimit limit;
    return getrlimit(RLIMIT_NOFILE, &limit) == 0 ? (uint64_t)limit.rlim_max : 0;
}

int clinux_clock_is_synchronized(void) {
    struct timex query = {.modes = 0};
    if (adjtimex(&query) < 0) return -1;
    return (query.status & STA_UNSYNC) == 0;
}

uint64_t clinux_resident_bytes(void) {
    FILE *statm = fopen("/proc/self/statm", "re");
    if (!statm) return 0;
    unsigned long total_pages = 0, resident_pages = 0;
    int fields = fscanf(statm, "%lu %lu", &total_pages, &resident_pages);
    fclose(statm);
    return fields == 2 ? (uint64_t)resident_pages * (uint64_t)sysconf(_SC_PAGESIZE) : 0;
}

int clinux_signal_descriptor(uint64_t mask) {
    sigset_t signals;
    sigemptyset(&signals);
    for (int number = 1; number <= 64; number++)
        if (mask & (UINT64_C(1) << (number - 1))) sigaddset(&signals, number);
    if (pthread_sigmask(SIG_BLOCK, &signals, NULL) != 0) return -1;
    return signalfd(-1, &signals, SFD_NONBLOCK | SFD_CLOEXEC);
}

int clinux_read_signal(int fd) {
    struct signalfd_siginfo info;
    return read(fd, &info, sizeof info) == (ssize_t)sizeof info ? (int)info.ssi_signo : 0;
}

static void become_child(char *const argv[], char *const environment[], int parent_death_signal, int own_group,
                         int out_fd, int err_fd, pid_t parent) {
    if (parent_death_signal > 0) {
        prctl(PR_SET_PDEATHSIG, parent_death_signal);
        if (getppid() != parent) _exit(126); /* the parent died before prctl: do not outlive it */
    }
    if (own_group) setpgid(0, 0);
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    signal(SIGPIPE, SIG_DFL);
    int null_fd = open("/dev/null", O_RDWR);
    if (null_fd >= 0) dup2(null_fd, 0);
    if (out_fd >= 0) dup2(out_fd, 1);
    if (err_fd >= 0) dup2(err_fd, 2);
    close_range(3, ~0U, 0);
    if (environment) execvpe(argv[0], argv, environment);
    else execvp(argv[0], argv);
    _exit(127);
}

int clinux_spawn(char *const argv[], char *const environment[], int parent_death_signal, int own_group, int out_fd,
                 int err_fd) {
    pid_t parent = getpid();
    pid_t child = fork();
    if (child == 0) become_child(argv, environment, parent_death_signal, own_group, out_fd, err_fd, parent);
    return (int)child;
}
