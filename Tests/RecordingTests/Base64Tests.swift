import Recording
import Testing

@Suite("Base64")
struct Base64Tests {
    @Test(arguments: [
        ("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="), ("fooba", "Zm9vYmE="),
        ("foobar", "Zm9vYmFy"),
    ])
    func `is the one of RFC 4648 section 10`(plain: String, text: String) {
        var written: [UInt8] = []
        Base64.write(Array(plain.utf8), to: &written)
        #expect(String(decoding: written, as: UTF8.self) == text)
        #expect(Base64.decode(text) == Array(plain.utf8))
    }

    @Test func `uses all 64 digits in their order`() {
        let digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
        let bytes = Base64.decode(digits)
        #expect(bytes?.prefix(4) == [0x00, 0x10, 0x83, 0x10])
        #expect(bytes?.suffix(4) == [0xBB, 0xF3, 0xDF, 0xBF])
    }

    @Test(arguments: ["Z", "Zg", "Zg=", "Zh==", "Zm9=", "Zg==Zg==", "=Zg=", "====", "Zm 9", "Zm-_", "Zm9v\n", "Zgé="])
    func `refuses what is not the one text of its bytes`(text: String) {
        #expect(Base64.decode(text) == nil)
    }
}
