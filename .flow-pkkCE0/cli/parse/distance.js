import { InvalidArgumentError } from "commander";
const metresIn = { m: 1, km: 1e3, mi: 1609.344 };
function distance(text) {
  const [, number, unit = "m"] = /^(\d+(?:\.\d+)?)\s*(m|km|mi)?$/.exec(text.trim()) ?? [];
  const metres = Number(number) * (metresIn[unit] ?? 1);
  if (metres > 0 && metres <= 1e6) return metres;
  throw new InvalidArgumentError("Write it as 200m, 1.5km or 3mi; a number without a unit is metres.");
}
export {
  distance
};
