// Sets the theme before the first paint, so that a dark page does not flash white. theme.js does the rest.
try {
    document.documentElement.dataset.theme = localStorage.getItem("castledger.theme") || "auto";
} catch {
    document.documentElement.dataset.theme = "auto";
}
