/// How a report looks: on screens light and dark, on narrow ones, and on paper.
///
/// Colors are those of Okabe and Ito, which color-blind people tell apart; height and hatching say the same again.
enum HTMLStyle {
    /// The content of the style element.
    static let text = """

        :root{color-scheme:light dark;--page:#fbfbf9;--card:#fff;--ink:#1d2329;--soft:#5a6570;--line:#dfe2e4;\
        --grid:#e8eaec;--idle:#c9ced3;--off:#8d96a0;--hatch:#7d8792;--playing:#0072b2;--paused:#e69f00;\
        --waiting:#56b4e9;--ads:#cc79a7;--app:#7b6fb0;--conflict:#d55e00}
        @media (prefers-color-scheme:dark){:root{--page:#14181c;--card:#1b2026;--ink:#e8ebee;--soft:#9aa5b0;\
        --line:#2e353d;--grid:#272e35;--idle:#3f4851;--off:#6b7681;--hatch:#8a95a1;--playing:#3d9be0;--paused:#f0b429;\
        --waiting:#8ccdf2;--ads:#dd9cc0;--app:#a79bd8;--conflict:#ff7f32}}
        *{box-sizing:border-box}
        body{margin:0;background:var(--page);color:var(--ink);\
        font:15px/1.45 system-ui,-apple-system,"Segoe UI",Roboto,"Noto Sans",sans-serif}
        main{max-width:1120px;margin:0 auto;padding:32px 24px 64px}
        h1{font-size:28px;line-height:1.2;margin:0 0 4px;letter-spacing:-.01em}
        h2{font-size:19px;margin:40px 0 12px}
        h3{font-size:15px;margin:20px 0 6px}
        p{margin:4px 0}
        .soft{color:var(--soft)}
        .tiles{display:flex;flex-wrap:wrap;gap:12px;margin:24px 0 8px}
        .tile{flex:1 1 150px;background:var(--card);border:1px solid var(--line);border-radius:10px;padding:12px 16px}
        .tile b{display:block;font-size:20px;line-height:1.25;font-variant-numeric:tabular-nums}
        .tile span{color:var(--soft);font-size:13px}
        .card{background:var(--card);border:1px solid var(--line);border-radius:10px;padding:14px 16px;\
        overflow-x:auto;position:relative}
        .card+.card{margin-top:12px}
        table{border-collapse:collapse;width:100%;font-size:13.5px}
        th{text-align:left;font-weight:600;color:var(--soft);border-bottom:1px solid var(--line);padding:4px 10px 6px 0;\
        white-space:nowrap}
        td{border-bottom:1px solid var(--grid);padding:5px 10px 5px 0;vertical-align:top;overflow-wrap:anywhere}
        tr:last-child td{border-bottom:0}
        th.n,td.n{text-align:right;font-variant-numeric:tabular-nums;white-space:nowrap}
        td.t,time{font-variant-numeric:tabular-nums;white-space:nowrap}
        .uncertain{color:var(--soft)}
        .legend{display:flex;flex-wrap:wrap;gap:6px 18px;margin:24px 0 0;padding:0;list-style:none;font-size:13px;\
        color:var(--soft)}
        .legend svg{width:26px;height:14px;margin-right:6px;vertical-align:-2px}
        .chart{display:block;width:100%;min-width:760px;height:auto;font-size:12px}
        .chart text{fill:var(--ink)}
        .chart .hour{fill:var(--soft);font-size:11px;text-anchor:middle}
        .grid{stroke:var(--grid);stroke-width:1}
        .playing,.unknown{fill:var(--playing)}
        .unknown{fill-opacity:.55}
        .paused{fill:var(--paused)}
        .buffering,.loading{fill:var(--waiting)}
        .advertisement{fill:var(--ads)}
        .app_only{fill:var(--app)}
        .idle{fill:var(--idle)}
        .standby,.other_input{fill:var(--off)}
        .unobserved{fill:url(#hatch)}
        #hatch path{stroke:var(--hatch);stroke-width:1.6}
        .conflict{fill:var(--conflict);stroke:var(--card);stroke-width:1}
        .outside{fill:var(--page);fill-opacity:.8}
        .hidden{position:absolute;width:0;height:0}
        .list{margin:8px 0 0;padding:0;list-style:none;font-size:13.5px}
        .list li{margin:3px 0}
        .list li::before{content:"\\25BC";color:var(--conflict);font-size:10px;margin-right:8px}
        footer{margin-top:48px;color:var(--soft);font-size:13px}
        @media (max-width:640px){main{padding:20px 14px 40px}h1{font-size:23px}.card{padding:10px 12px}\
        table{min-width:560px}}
        @media print{@page{margin:14mm}:root{color-scheme:light;--page:#fff;--card:#fff;--ink:#000;--soft:#444;\
        --line:#bbb;--grid:#ddd;--idle:#bbb;--off:#888;--hatch:#666;--playing:#0072b2;--paused:#e69f00;\
        --waiting:#56b4e9;--ads:#cc79a7;--app:#7b6fb0;--conflict:#d55e00}\
        *{print-color-adjust:exact;-webkit-print-color-adjust:exact}body{font-size:10pt}main{max-width:none;padding:0}\
        .card{border:0;padding:0;overflow:visible}.chart{min-width:0}table{font-size:8.5pt}h2{break-after:avoid}\
        thead{display:table-header-group}tr,.tile,.chart{break-inside:avoid}}

        """

    /// The SHA-256 of ``text`` in base64: the page's policy lets this style apply, and no other.
    static let hash = "Fbzx00Wkw3C3T0yBgXdn8QHfWMufCD+l1WLpr0a8ykY="
}
