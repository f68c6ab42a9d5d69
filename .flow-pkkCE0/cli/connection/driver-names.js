import { commandFailureOf } from "../errors/exit-codes.js";
import { fullName } from "../views/humanize.js";
import { allowPartial } from "./allow-partial.js";
import { call } from "./call.js";
async function driverNames(run, client, options = {}) {
  const select = { id: true, firstName: true, lastName: true };
  const { signal } = run.io;
  try {
    const people = await allowPartial(
      run,
      (partial) => call(client, "getPeople", {}, { ...partial, ...options, select })
    );
    return new Map(people.flatMap((person) => person?.id && fullName(person) ? [[person.id, fullName(person)]] : []));
  } catch (error) {
    const { code, message, details } = commandFailureOf(error, signal.aborted, run.globals.timeout);
    if (code !== "GRAPHQL") throw error;
    const reason = details.length > 0 ? details.join(" ") : message;
    run.report.partial({
      operation: "getPeople",
      messages: [`The names of people could not be read, so drivers are shown by id: ${reason}`]
    });
    return /* @__PURE__ */ new Map();
  }
}
export {
  driverNames
};
