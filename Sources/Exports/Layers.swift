import Recording

/// Lays stretches that may overlap one over the other, and says what is on top at each moment.
///
/// The one that began last is on top; when it ends, the one below shows again. Give them in the order in which they
/// begin. One that ends before it begins is a moment.
struct Layers<Item> {
    /// What is on top from one moment to another.
    struct Piece {
        var from: WallTime
        var to: WallTime
        /// Nil where nothing is.
        var item: Item?
        /// How many pieces of the same item came before this one.
        var number: Int
    }

    /// More than so many at a time are none that anybody could tell apart; the lowest ones end early.
    static var limit: Int { 64 }

    private struct Layer {
        var item: Item
        var to: WallTime
        var pieces: Int
    }

    private var reached: WallTime
    private var layers: [Layer] = []

    /// Nothing before this moment shows.
    init(from: WallTime) { reached = from }

    /// The pieces up to the beginning of the next stretch.
    mutating func add(_ item: Item, from: WallTime, to: WallTime) -> [Piece] {
        // One that was over before the first moment does not show, but a moment at its very beginning does.
        guard to > reached || from >= reached else { return [] }
        var pieces = advance(to: from)
        if to <= from {
            pieces.append(Piece(from: from, to: from, item: item, number: 0))
        } else {
            if layers.count == Self.limit { layers.removeFirst() }
            layers.append(Layer(item: item, to: to, pieces: 0))
        }
        return pieces
    }

    /// The pieces up to a moment, without holes.
    mutating func advance(to end: WallTime) -> [Piece] {
        var pieces: [Piece] = []
        while reached < end {
            layers.removeAll { $0.to <= reached }
            guard let top = layers.indices.last else {
                pieces.append(Piece(from: reached, to: end, item: nil, number: 0))
                reached = end
                break
            }
            let to = min(end, layers[top].to)
            pieces.append(Piece(from: reached, to: to, item: layers[top].item, number: layers[top].pieces))
            layers[top].pieces += 1
            reached = to
        }
        return pieces
    }
}
