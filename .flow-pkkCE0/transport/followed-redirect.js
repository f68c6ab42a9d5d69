class FollowedRedirect extends Error {
  /** Where the answer came from; null when the fetch does not say. */
  origin;
  constructor(origin) {
    super("The fetch followed a redirect.");
    this.origin = origin;
  }
}
function refuseFollowedRedirect(asked, { redirected, url }) {
  const origin = typeof url === "string" && URL.canParse(url) ? new URL(url).origin : null;
  const isElsewhere = redirected === void 0 && origin !== null && origin !== new URL(asked).origin;
  if (redirected === true || isElsewhere) throw new FollowedRedirect(origin);
}
export {
  FollowedRedirect,
  refuseFollowedRedirect
};
