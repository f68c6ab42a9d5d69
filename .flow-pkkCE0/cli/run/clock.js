import { refusal } from "../errors/cli-error.js";
import { parseTime, timeForms } from "../parse/time.js";
function clockOf(io, { demo, demoTime }, zone) {
  const machine = io.clock ?? { now: () => Date.now() };
  if (demoTime === void 0) return machine;
  if (!demo) {
    throw refusal("--demo-time needs --demo.", {
      hint: "Add --demo, or leave out --demo-time: the clock of a real service cannot be set."
    });
  }
  const time = parseTime(demoTime, machine.now(), zone.name);
  if (time === null) {
    throw refusal(`--demo-time "${demoTime}" is not a time.`, {
      hint: `Write it ${timeForms}.`
    });
  }
  return { now: () => time };
}
export {
  clockOf
};
