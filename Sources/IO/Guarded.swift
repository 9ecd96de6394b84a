import Glibc

/// A value that several threads use, one at a time, behind a pthread mutex.
///
/// For the mailboxes, where threads really collide. The standard library's `Mutex` waits in a futex of its own that the
/// thread sanitizer cannot see, so every collision there looks like a race; pthread's mutexes it knows.
///
/// `@unchecked Sendable`: `value` is touched inside ``withLock(_:)`` only, under the mutex.
@safe final class Guarded<Value>: @unchecked Sendable {
    private let mutex: UnsafeMutablePointer<pthread_mutex_t>
    private var value: Value

    init(_ value: sending Value) {
        unsafe mutex = .allocate(capacity: 1)
        self.value = value
        let result = unsafe pthread_mutex_init(mutex, nil)
        precondition(result == 0, "pthread_mutex_init failed with \(result): the machine is out of memory")
    }

    deinit {
        unsafe pthread_mutex_destroy(mutex)
        unsafe mutex.deallocate()
    }

    /// Runs `body` alone.
    ///
    /// It must not block, nor lock this again.
    func withLock<Result>(_ body: (inout Value) -> Result) -> Result {
        unsafe pthread_mutex_lock(mutex)
        defer { unsafe pthread_mutex_unlock(mutex) }
        return body(&value)
    }
}
