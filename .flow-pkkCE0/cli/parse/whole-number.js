import { InvalidArgumentError } from "commander";
function wholeBetween(least, most) {
  return (text) => {
    const value = /^\d+$/.test(text) ? Number(text) : Number.NaN;
    if (value >= least && value <= most) return value;
    throw new InvalidArgumentError(`Write a whole number from ${least} to ${most}.`);
  };
}
export {
  wholeBetween
};
