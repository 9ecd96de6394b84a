import CastModel
import WebCore

/// Changes a token into a cookie, and takes it back.
struct LoginAnswer {
    private let rules: AccessRules
    private let question: Question
    private let body: [UInt8]

    init(_ rules: AccessRules, _ question: Question, _ body: [UInt8]) {
        self.rules = rules
        self.question = question
        self.body = body
    }

    func answer() throws(HTTPProblem) -> HTTPAnswer {
        try rules.checkOrigin(question.request)
        guard question.route == .login else {
            let gone = HTTPAnswer.Header(
                "Set-Cookie", "\(AccessRules.cookieName)=; Path=/; HttpOnly; SameSite=Strict; Max-Age=0")
            return HTTPAnswer(status: 204, contentType: nil, headers: [gone], body: [])
        }
        guard let wanted = rules.token else { return HTTPAnswer(status: 204, contentType: nil, body: []) }
        guard let shown = try token(), AccessRules.isEqual(Array(shown.utf8), wanted) else {
            throw HTTPProblem(401, "This is not the token.")
        }
        return HTTPAnswer(status: 204, contentType: nil, headers: [rules.cookie(for: shown)], body: [])
    }

    /// The token in the body: a JSON object with `token`, or a form with it.
    private func token() throws(HTTPProblem) -> String? {
        let type = question.request.headers["content-type"]?.split(separator: ";").first.map(String.init)
        switch type {
        case "application/json":
            guard let value = try? JSONParser().parse(body) else { throw HTTPProblem(400, "The body is no JSON.") }
            return value["token"]?.string
        case "application/x-www-form-urlencoded":
            let text = String(decoding: body, as: UTF8.self)
            guard let form = try? HTTPRequest(method: "POST", target: "/?" + text) else {
                throw HTTPProblem(400, "The body is no form.")
            }
            return form.value("token")
        default: throw HTTPProblem(400, "The body is JSON or a form, with 'token'.")
        }
    }
}
