import { serviceNow } from "../../context/context.js";
function beyondPeriod(context, { from, to, isOfDays }, { noun = "trip", whose = "", clip = "--clip lists only what lies inside." } = {}) {
  const isOver = to < serviceNow(context);
  let count = 0;
  return {
    take({ startedAt, isOpen }) {
      if (Date.parse(startedAt) < from || isOpen && isOver) count++;
    },
    warn() {
      if (count === 0 || !isOfDays) return;
      const which = count === 1 ? `1 ${noun}${whose} goes` : `${count} ${noun}s${whose} go`;
      context.report.warn(`${which} beyond this period and would count again in the one beside it. ${clip}`);
    }
  };
}
export {
  beyondPeriod
};
