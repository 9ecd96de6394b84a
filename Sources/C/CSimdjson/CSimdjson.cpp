#include "include/CSimdjson.h"

#include <simdjson.h>

#include <new>
#include <vector>

using namespace simdjson;

struct csimdjson_parser {
    dom::parser parser;
    std::vector<csimdjson_token> tokens;
    explicit csimdjson_parser(size_t max_depth) { (void)parser.allocate(4096, max_depth); }
};

static csimdjson_token token(csimdjson_kind kind, size_t length = 0) {
    csimdjson_token made{};
    made.kind = static_cast<uint8_t>(kind);
    made.length = static_cast<uint32_t>(length);
    return made;
}

static csimdjson_token text(csimdjson_kind kind, std::string_view view) {
    csimdjson_token made = token(kind, view.size());
    made.value.text = view.data();
    return made;
}

/* Recursion is bounded: the parser has refused anything deeper than max_depth already. */
static void flatten(const dom::element &element, std::vector<csimdjson_token> &tokens) {
    switch (element.type()) {
    case dom::element_type::NULL_VALUE: tokens.push_back(token(CSIMDJSON_NULL)); break;
    case dom::element_type::BOOL:
        tokens.push_back(token(element.get_bool().value_unsafe() ? CSIMDJSON_TRUE : CSIMDJSON_FALSE));
        break;
    case dom::element_type::INT64: {
        csimdjson_token made = token(CSIMDJSON_INTEGER);
        made.value.integer = element.get_int64().value_unsafe();
        tokens.push_back(made);
        break;
    }
    case dom::element_type::UINT64: {
        csimdjson_token made = token(CSIMDJSON_UNSIGNED);
        made.value.integer = static_cast<int64_t>(element.get_uint64().value_unsafe());
        tokens.push_back(made);
        break;
    }
    case dom::element_type::DOUBLE: {
        csimdjson_token made = token(CSIMDJSON_DOUBLE);
        made.value.number = element.get_double().value_unsafe();
        tokens.push_back(made);
        break;
    }
    case dom::element_type::STRING:
        tokens.push_back(text(CSIMDJSON_STRING, element.get_string().value_unsafe()));
        break;
    case dom::element_type::ARRAY: {
        const size_t place = tokens.size();
        size_t count = 0;
        tokens.push_back(token(CSIMDJSON_ARRAY));
        const dom::array children = element.get_array().value_unsafe(); /* a loop over the result would outlive it */
        for (dom::element child : children) { flatten(child, tokens); count++; }
        tokens[place].length = static_cast<uint32_t>(count);
        break;
    }
    case dom::element_type::OBJECT: {
        const size_t place = tokens.size();
        size_t count = 0;
        tokens.push_back(token(CSIMDJSON_OBJECT));
        const dom::object fields = element.get_object().value_unsafe();
        for (auto field : fields) {
            tokens.push_back(text(CSIMDJSON_KEY, field.key));
            flatten(field.value, tokens);
            count++;
        }
        tokens[place].length = static_cast<uint32_t>(count);
        break;
    }
    }
}

extern "C" csimdjson_parser *csimdjson_create(size_t max_depth) {
    return new (std::nothrow) csimdjson_parser(max_depth);
}

extern "C" void csimdjson_free(csimdjson_parser *parser) { delete parser; }

extern "C" int csimdjson_parse(csimdjson_parser *parser, const uint8_t *bytes, size_t length,
                               const csimdjson_token **tokens, size_t *count) {
    try {
        parser->tokens.clear();
        dom::element document;
        error_code error = parser->parser.parse(bytes, length, true).get(document);
        if (error) return static_cast<int>(error);
        flatten(document, parser->tokens);
        *tokens = parser->tokens.data();
        *count = parser->tokens.size();
        return 0;
    } catch (const std::bad_alloc &) {
        return static_cast<int>(MEMALLOC);
    }
}

extern "C" const char *csimdjson_error(int error) { return error_message(static_cast<error_code>(error)); }
