function adviceOf(facts) {
  switch (facts.kind) {
    case "loginRefused":
      return "CHECK_CREDENTIALS";
    case "notLoggedIn":
    case "severalSessions":
    case "sessionEnded":
      return "LOG_IN";
    case "tokenRefused":
      return "LOG_IN_AGAIN";
    case "notRenewed":
      return "KEEP_SESSION";
    case "userNotChosen":
    case "fleetNotFound":
      return "CHOOSE_USER";
    case "unreachable":
      return "CHECK_CONNECTION";
    case "refusedByProxy":
      return adviceOnProxy(facts.status);
    case "unsendable":
      return "CHECK_REQUEST";
    case "untrusted":
      return "CHECK_TRUST";
    case "notHttp":
      return "CHECK_PORT";
    case "connectionLost":
      return facts.isPlainHttp ? "TRY_HTTPS" : "TRY_AGAIN";
    case "cutAnswer":
      return "TRY_AGAIN";
    case "exception":
      return "LOOK_AT_CAUSE";
    case "silence":
    case "timeRanOut":
    case "notSentInTime":
      return "ALLOW_TIME";
    case "status":
      return adviceOnStatus(facts.status);
    case "rateLimited":
      return "SHARE_TURNS";
    case "graphqlErrors":
      return facts.mayBeDrift ? "COMPARE_CONTRACT" : null;
    case "offContract":
      return facts.what === "noMember" || facts.what === "noList" || facts.what === "notTrue" ? "COMPARE_CONTRACT" : "CHECK_ADDRESS";
    case "nullList":
      return "TRY_LATER";
    case "unreadable":
      return "COMPARE_CONTRACT";
    case "oddAnswer":
    case "notGraphQL":
    case "redirected":
      return "CHECK_ADDRESS";
    case "tooLarge":
      return "ASK_FOR_LESS";
    case "inDoubt":
      return "CHECK_CHANGE";
    case "queueFull":
      return "TRY_LATER";
    case "aborted":
    case "closed":
    case "refusedInput":
    case "other":
      return null;
  }
}
function adviceOnStatus(status) {
  if (status === 403) return "CHECK_RIGHTS";
  if (status === 407) return adviceOnProxy(status);
  if (status === 404 || status < 400) return "CHECK_ADDRESS";
  return status >= 500 ? "TRY_LATER" : "CHECK_INPUT";
}
function adviceOnProxy(status) {
  if (status === 407) return "PROXY_LOGIN";
  return status === 403 ? "PROXY_RULES" : "PROXY_SETTINGS";
}
export {
  adviceOf
};
