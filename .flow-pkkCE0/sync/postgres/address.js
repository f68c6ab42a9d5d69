import { SyncTargetError } from "fleet-telematics/kit";
function nameOf(url) {
  const parsed = /^postgres(ql)?:\/\//i.test(url) && URL.canParse(url) ? new URL(url) : null;
  if (parsed === null) throw invalid("Write it as postgres://user:password@host:5432/database.");
  const { username, password, host, pathname, search, hash } = parsed;
  const hasStray = [pathname, search, hash].some((part) => part.includes("@"));
  if (hasStray || ![username, password, host, pathname].every(isWellEscaped)) {
    throw invalid(
      "In user, password and database, write % as %25, @ as %40, / as %2F, : as %3A, ? as %3F and # as %23. Or give the password in PGPASSWORD."
    );
  }
  return `postgres://${host || "localhost"}${pathname === "/" ? "" : pathname}`;
}
function isWellEscaped(part) {
  try {
    decodeURIComponent(part);
    return true;
  } catch {
    return false;
  }
}
function invalid(hint) {
  return new SyncTargetError("INVALID", "The address of PostgreSQL is not valid. Nothing was read.", hint);
}
export {
  nameOf
};
