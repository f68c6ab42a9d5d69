import { guessedInputs, inputMap } from "../../generated/input-map.js";
function membersOf(input) {
  const text = Object.hasOwn(inputMap, input) ? inputMap[input] : void 0;
  return (text?.split(" ") ?? []).map((member) => {
    const colon = member.indexOf(":");
    const type = member.slice(colon + 1);
    return { name: member.slice(0, colon), type, required: type.endsWith("!") };
  });
}
function isGuessed(input) {
  return guessedInputs.includes(input);
}
export {
  isGuessed,
  membersOf
};
