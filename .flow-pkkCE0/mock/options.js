import { hourMs } from "./core/durations.js";
import {
  boolean,
  fail,
  filledText,
  list,
  object,
  oneOf,
  optional,
  refined,
  wholeNumber
} from "./core/readers.js";
import { mockVariant } from "./variants/variant.js";
import { groupNames } from "./world/groups.js";
import { defaultUsers } from "./world/users.js";
function count(max) {
  const read = wholeNumber(0, max);
  return (value, path) => {
    try {
      return read(value, path);
    } catch (error) {
      throw typeof value === "number" && error instanceof TypeError ? new RangeError(error.message) : error;
    }
  };
}
const user = object({
  username: filledText,
  password: filledText,
  entries: list(
    object({ fleet: filledText, group: optional(oneOf(groupNames)), userName: optional(filledText) })
  )
});
const users = refined(
  list(user),
  (all) => new Set(all.map(({ username }) => username)).size === all.length ? null : "must each have a username of their own"
);
const clock = (value, path) => {
  const problem = "must have a method now() that returns epoch milliseconds";
  if (typeof value !== "object" && typeof value !== "function" || value === null || !("now" in value))
    return fail(path, problem);
  if (typeof value.now !== "function") return fail(path, problem);
  const source = value;
  return Number.isFinite(source.now()) ? source : fail(path, problem);
};
const basePath = (value, path) => {
  const text = filledText(value, path);
  if (!/^\/[^?#\s]*$/.test(text)) fail(path, "must be a path that begins with a slash, such as /api");
  return text.replace(/\/+$/, "");
};
const readOptions = object(
  {
    seed: optional(count(Number.MAX_SAFE_INTEGER)),
    vehicles: optional(count(1e6)),
    latencyMs: optional(count(hourMs)),
    users: optional(users),
    clock: optional(clock),
    strict: optional(boolean),
    timestamps: optional(oneOf(["rfc3339", "number"])),
    basePath: optional(basePath),
    variant: optional(mockVariant)
  },
  "the options"
);
const defaults = {
  seed: 1,
  vehicles: 25,
  latencyMs: 0,
  users: defaultUsers,
  clock: Date,
  strict: true,
  timestamps: "rfc3339",
  basePath: null,
  variant: {}
};
function resolveOptions(options) {
  try {
    return { ...defaults, ...readOptions(options, "") };
  } catch (error) {
    if (error instanceof RangeError) throw new RangeError(`createMockService: ${error.message}`);
    throw error instanceof TypeError ? new TypeError(`createMockService: ${error.message}`, { cause: error }) : error;
  }
}
export {
  resolveOptions
};
