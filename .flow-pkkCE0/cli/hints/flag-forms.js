const flagForms = {
  "--at": pastMomentHint,
  "--driver": driverHint,
  "--vehicle": vehicleHint
};
function driverHint(command, _words, name) {
  if (command.parent?.name() !== "vehicles") return null;
  return `Who drives each vehicle: \`fleet vehicles status --filter "driver~${isPlain(name) ? name : "\u2026"}"\`.`;
}
function vehicleHint(command, _words, name) {
  const noun = command.parent?.name() ?? "";
  const takesVehicles = command.registeredArguments.some((argument) => argument.name() === "vehicle");
  const verb = takesVehicles ? command.name() : noun === "vehicles" ? "get" : null;
  if (verb === null) return null;
  return `Vehicles are named without a flag: \`fleet ${noun} ${verb} "${isPlain(name) ? name : "\u2026"}"\`.`;
}
function pastMomentHint(command, words, time) {
  if (!["vehicles", "snapshots"].includes(command.parent?.name() ?? "")) return null;
  const [vehicle = "Truck 07"] = words.filter(isPlain);
  return `Where a vehicle was then: \`fleet vehicles status "${vehicle}" --at "${isPlain(time) ? time : "08:00"}"\`.`;
}
function isPlain(word) {
  return /^[\p{L}\p{N} .,:+_-]+$/u.test(word);
}
export {
  flagForms
};
