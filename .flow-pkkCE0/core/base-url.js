function baseUrlProblem(value) {
  const url = typeof value === "string" && URL.canParse(value) ? new URL(value) : null;
  if (!url || url.protocol !== "http:" && url.protocol !== "https:") return "no http(s) address";
  if (url.username !== "" || url.password !== "") return "holds credentials";
  return url.search !== "" || url.hash !== "" ? "has a query or fragment" : null;
}
function normaliseBaseUrl(baseUrl) {
  const { origin, pathname } = new URL(baseUrl);
  return `${origin}${pathname.replace(/\/+$/, "")}`;
}
function isLoopback({ hostname }) {
  return /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname);
}
export {
  baseUrlProblem,
  isLoopback,
  normaliseBaseUrl
};
