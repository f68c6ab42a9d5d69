const eighths = ["", "\u258F", "\u258E", "\u258D", "\u258C", "\u258B", "\u258A", "\u2589"];
function barOf(share, cells, ascii) {
  if (share <= 0) return "";
  if (ascii) return "#".repeat(Math.max(1, Math.round(share * cells)));
  const parts = Math.max(1, Math.round(share * cells * 8));
  return "\u2588".repeat(Math.floor(parts / 8)) + (eighths[parts % 8] ?? "");
}
export {
  barOf
};
