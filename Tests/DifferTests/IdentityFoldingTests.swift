import CastModel
import CastWire
import Differ
import Recording
import Testing

/// A judge that finds what a test wants, by the first byte of the signature.
private struct ScriptedJudge: IdentityJudge {
    func verdict(on claim: IdentityClaim) -> IdentityVerdict {
        let mark = claim.answer.signature.first ?? 0
        return IdentityVerdict(
            key: mark == 9 ? "bb" : "aa", chainIsTrusted: mark != 2, chainIsCurrent: mark != 3, signatureFits: true,
            nonceIsEchoed: claim.nonce == claim.answer.nonce, peerCertificateIsFresh: claim.peerCertificate == [7],
            isAudioOnly: false)
    }
}

@Suite("The differ on identities")
struct IdentityFoldingTests {
    private static let nonce = [UInt8](1...16)

    /// An answer: signature of one byte, a certificate of one byte, and our nonce.
    private func answer(_ mark: UInt8, nonce: [UInt8] = Self.nonce) -> [UInt8] {
        let body: [UInt8] = [0x0A, 1, mark, 0x12, 1, 1, 0x2A, UInt8(nonce.count)] + nonce + [0x30, 1]
        return [0x12, UInt8(body.count)] + body
    }

    /// Links that come up one after the other, each with a challenge and the answers that follow.
    private func lines(_ links: [[[UInt8]]], certificate: [UInt8] = [7], savingState: Bool = false) throws -> [String] {
        var replay = Replay()
        for (index, answers) in links.enumerated() {
            let link = LinkNumber(Int64(index) + 1)
            let second = Double(index) * 10
            replay.add(
                second,
                .linkOpened(
                    LinkOpened(
                        device: replay.device, link: link, address: "192.0.2.7", port: 8009, tlsVersion: "TLSv1.3",
                        cipher: "c", peerCertificate: certificate, attachMode: .invisible)))
            let challenge = CastMessage(
                from: "sender-0", to: "receiver-0", .deviceAuthentication,
                binary: AuthenticationChallenge(nonce: Self.nonce).payload)
            replay.add(
                second + 1,
                .frame(RecordedFrame(device: replay.device, link: link, direction: .outbound, message: challenge)))
            for answer in answers {
                let message = CastMessage(from: "receiver-0", to: "sender-0", .deviceAuthentication, binary: answer)
                replay.add(
                    second + 2,
                    .frame(RecordedFrame(device: replay.device, link: link, direction: .inbound, message: message)))
            }
        }
        var differ = StatusDiffer(judge: ScriptedJudge())
        var events: [ChangeEvent] = []
        for record in replay.records {
            events += differ.fold(record)
            if savingState {
                differ = try StatusDiffer(
                    restoring: differ.takeDeviceStates(), heard: differ.takeHeard(), judge: ScriptedJudge())
            }
        }
        return events.filter { $0.kind == .identityVerified || $0.kind == .identityFailed }.map { event in
            "\(event.kind.rawValue) \(event.after?["why"]?.string ?? "-") \(event.callbacks.count)"
        }
    }

    @Test(arguments: [false, true])
    func `are told once, not on every link`(savingState: Bool) throws {
        #expect(
            try lines([[answer(1)], [answer(1)], [answer(1)]], savingState: savingState) == ["identity_verified - 0"])
    }

    @Test(arguments: [false, true])
    func `of a known device with another key are not believed`(savingState: Bool) throws {
        #expect(
            try lines([[answer(1)], [answer(9)], [answer(1)]], savingState: savingState) == [
                "identity_verified - 0", "identity_failed another key than this device had before 0",
                "identity_verified - 0",
            ])
    }

    @Test func `that prove nothing say why`() throws {
        #expect(try lines([[answer(2)]]) == ["identity_failed no Cast root vouches for its key 0"])
        #expect(
            try lines([[answer(1, nonce: [])]])
                == ["identity_failed our nonce is not in the answer: it may be a recording 0"])
        #expect(
            try lines([[answer(1)]], certificate: [8])
                == ["identity_failed its TLS certificate is not of these days 0"])
        #expect(try lines([[[0x1A, 2, 0x08, 2]]]) == ["identity_failed the device answers with error 2 0"])
        #expect(try lines([[[1, 2, 3]]]) == ["identity_failed the answer is malformed 0"])
    }

    @Test func `with an expired intermediate are believed`() throws {
        #expect(try lines([[answer(3)]]) == ["identity_verified - 0"])
    }

    @Test func `answer one challenge once`() throws {
        #expect(try lines([[answer(1), answer(9), [0x1A, 0]]]) == ["identity_verified - 0"])
        #expect(try lines([[]]) == [])
    }
}
