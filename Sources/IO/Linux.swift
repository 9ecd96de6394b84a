import CLinux
import Glibc

/// Every Linux call that Swift's Glibc lacks, in the one file that imports CLinux.
enum Linux {
    /// What epoll reported about one descriptor.
    struct PollEvent {
        var token: UInt64
        var readable: Bool
        var writable: Bool
        var hangup: Bool
    }

    static func epollCreate() throws(IOError) -> Int32 {
        try IOError.check("epoll_create1", epoll_create1(Int32(EPOLL_CLOEXEC)))
    }

    static func epollAdd(_ epoll: Int32, fd: Int32, token: UInt64, interest: EventLoop.Interest) throws(IOError) {
        try control(epoll, EPOLL_CTL_ADD, fd, token, interest)
    }

    static func epollChange(_ epoll: Int32, fd: Int32, token: UInt64, interest: EventLoop.Interest) throws(IOError) {
        try control(epoll, EPOLL_CTL_MOD, fd, token, interest)
    }

    static func epollRemove(_ epoll: Int32, fd: Int32) {
        var event = unsafe epoll_event()
        _ = unsafe epoll_ctl(epoll, EPOLL_CTL_DEL, fd, &event)
    }

    private static func control(
        _ epoll: Int32, _ operation: Int32, _ fd: Int32, _ token: UInt64, _ interest: EventLoop.Interest
    ) throws(IOError) {
        var event = unsafe epoll_event()
        if interest.contains(.readable) { unsafe event.events |= EPOLLIN.rawValue | EPOLLRDHUP.rawValue }
        if interest.contains(.writable) { unsafe event.events |= EPOLLOUT.rawValue }
        unsafe event.data.u64 = token
        _ = try IOError.check("epoll_ctl", unsafe epoll_ctl(epoll, operation, fd, &event))
    }

    /// Waits for events; an interrupted wait is an empty one.
    static func epollWait(_ epoll: Int32, timeoutMilliseconds: Int32, limit: Int = 256) -> [PollEvent] {
        unsafe withUnsafeTemporaryAllocation(of: epoll_event.self, capacity: limit) { buffer in
            let count = unsafe epoll_wait(epoll, buffer.baseAddress, Int32(limit), timeoutMilliseconds)
            guard count > 0 else { return [] }
            return unsafe buffer.prefix(Int(count)).map { event in
                unsafe PollEvent(
                    token: event.data.u64,
                    readable: event.events & (EPOLLIN.rawValue | EPOLLRDHUP.rawValue) != 0,
                    writable: event.events & EPOLLOUT.rawValue != 0,
                    hangup: event.events & (EPOLLHUP.rawValue | EPOLLERR.rawValue) != 0)
            }
        }
    }

    static func eventDescriptor() throws(IOError) -> Int32 {
        try IOError.check("eventfd", eventfd(0, Int32(EFD_NONBLOCK | EFD_CLOEXEC)))
    }

    static func accept(_ listener: Int32) -> Int32 { clinux_accept(listener) }
    static func nameThread(_ name: String) { unsafe clinux_name_thread(name) }
    static func joinIfEnded(_ thread: UInt) -> Bool { clinux_join_if_ended(thread) == 0 }
    static func lockFile(_ fd: Int32) -> Int32 { clinux_lock_file(fd) }
    static func unlockFile(_ fd: Int32) { clinux_unlock_file(fd) }
    static func fileIsLocked(_ fd: Int32) -> Bool { clinux_file_is_locked(fd) == 1 }
    static func raiseOpenFilesLimit() -> UInt64 { clinux_raise_open_files_limit() }
    static func hardOpenFilesLimit() -> UInt64 { clinux_hard_open_files_limit() }
    static func clockIsSynchronized() -> Int32 { clinux_clock_is_synchronized() }
    static func residentBytes() -> UInt64 { clinux_resident_bytes() }
    static func signalDescriptor(_ mask: UInt64) -> Int32 { clinux_signal_descriptor(mask) }
    static func readSignal(_ fd: Int32) -> Int32 { clinux_read_signal(fd) }

    static func spawn(
        _ arguments: [String], environment: [String]?, parentDeathSignal: Int32, inOwnGroup: Bool, output: Int32,
        errors: Int32
    ) -> Int32 {
        var argv: [UnsafeMutablePointer<CChar>?] = unsafe arguments.map { unsafe strdup($0) } + [nil]
        var envp: [UnsafeMutablePointer<CChar>?] = unsafe (environment ?? []).map { unsafe strdup($0) } + [nil]
        defer {
            unsafe argv.forEach { unsafe free($0) }
            unsafe envp.forEach { unsafe free($0) }
        }
        if environment == nil {
            return unsafe clinux_spawn(&argv, nil, parentDeathSignal, inOwnGroup ? 1 : 0, output, errors)
        }
        return unsafe clinux_spawn(&argv, &envp, parentDeathSignal, inOwnGroup ? 1 : 0, output, errors)
    }
}
