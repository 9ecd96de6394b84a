import Glibc

/// A value that several threads use, one at a time, behind a pthread mutex.
///
/// Not the standard library's `Mutex`: that one waits in a futex of its own that the thread sanitizer cannot see, so
/// every collision there looks like a race. Pthread's mutexes it knows.
///
/// `@unchecked Sendable`: `value` is touched inside ``withLock(_:)`` only, under the mutex.
@safe public final class Guarded<Value: Sendable>: @unchecked Sendable {
    private let mutex: UnsafeMutablePointer<pthread_mutex_t>
    private var value: Value

    /// Holds `value` from now on.
    public init(_ value: Value) {
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
    /// It must not lock this again. While it blocks, whoever else wants the value waits.
    public func withLock<Result, Failure: Error>(
        _ body: (inout Value) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        unsafe pthread_mutex_lock(mutex)
        defer { unsafe pthread_mutex_unlock(mutex) }
        return try body(&value)
    }
}
