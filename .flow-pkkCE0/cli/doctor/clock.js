import { durationText } from "../../core/durations.js";
import { defaultUserAgent } from "../../core/version.js";
import { failureOf } from "../../request/failure.js";
import { FailedRequest } from "../../request/failure-error.js";
import { ServiceClock } from "../../transport/service-clock.js";
import { addressToUse } from "./address.js";
import { failed, ok, skipped, warning } from "./check.js";
const CLOCK_DIFFERENCE_WARNING_MS = 3e4;
async function checkClock(fetch, baseUrl, now, signal, atWrongScheme) {
  const before = now();
  const time = new ServiceClock({ now });
  let status = null;
  try {
    const headers = { accept: "application/json", "user-agent": defaultUserAgent };
    const answer = await fetch(`${baseUrl}${PATH}`, { method: "GET", headers, redirect: "manual", signal });
    status = answer.status;
    time.observeHeaders(answer.headers, before);
    const elsewhere = redirected(status, answer.headers.get("location"), baseUrl);
    if (elsewhere !== null) return elsewhere;
    await answer.text();
  } catch (error) {
    if (signal.aborted && status === null) {
      return failed(
        "TIMEOUT",
        "the service accepted the connection but did not answer",
        "Try again later, or allow more time: --timeout 2m."
      );
    }
    if (!signal.aborted) {
      const found2 = status === null ? await atWrongScheme() : null;
      if (found2 !== null) return found2;
      throw new FailedRequest(failureOf(error, status), 1, false, before).errorFor("request");
    }
  }
  const found = status === 400 ? await atWrongScheme() : null;
  if (found !== null) return found;
  const aheadMs = time.observedAheadMs;
  if (aheadMs === null)
    return skipped("the service does not send its time; ages and -2h use the clock of this machine");
  if (aheadMs === 0) return ok("equal to the clock of the service");
  const difference = `${durationText(Math.trunc(Math.abs(aheadMs) / 1e3) * 1e3, 2)} ${aheadMs > 0 ? "behind" : "ahead of"} the service`;
  if (Math.abs(aheadMs) <= CLOCK_DIFFERENCE_WARNING_MS) return ok(difference);
  return warning(
    `this machine is ${difference}: ages, live status and times such as -2h use the service's clock, tokens and certificates use this machine's`,
    "Set this machine's clock (NTP). If it is right, the service's is wrong, or was set on purpose (fleet mock --time)."
  );
}
function redirected(status, location, baseUrl) {
  if (status < 300 || status > 399 || location === null || !URL.canParse(location, `${baseUrl}${PATH}`)) return null;
  const { origin, pathname } = new URL(location, `${baseUrl}${PATH}`);
  if (!pathname.endsWith(PATH)) {
    return failed(
      "HTTP",
      `the service redirects requests to ${origin}`,
      "Check the address: it leads to another server."
    );
  }
  const target = `${origin}${pathname.slice(0, -PATH.length)}`;
  return failed("HTTP", `the service redirects every request to ${target}`, addressToUse(target));
}
const PATH = "/login/userinfo";
export {
  checkClock
};
