import IO

/// The Python that has the peers of `Tests/requirements.txt`.
public enum TestPython {
    /// Its path.
    ///
    /// `make test-deps` makes it.
    ///
    /// Throws when it is not there: a test with a real peer is never passed over in silence.
    public static func path() throws -> String {
        // #filePath is <root>/Tests/TestSupport/TestPython.swift.
        let root = "/" + #filePath.split(separator: "/").dropLast(3).joined(separator: "/")
        let path = root + "/.build/test-python/bin/python"
        guard Files.exists(path) else {
            throw MDNSLab.Failure(description: "\(path) is not there: run 'make test-deps' first")
        }
        return path
    }
}
