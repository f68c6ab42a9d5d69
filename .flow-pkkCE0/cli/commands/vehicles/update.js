import { InvalidArgumentError } from "commander";
import { examples } from "../../context/define-command.js";
import { addVehicleFlags } from "../../find/vehicles.js";
import { repeatable } from "../../parse/repeatable.js";
import { change } from "../../plan/change.js";
import { updateOf } from "../../plan/change-spec.js";
import { addChangeFlags } from "../../plan/flags.js";
import { labelKind, scheduleKind, vehicleTypeKind } from "../../records/reference-data.js";
import { vehicleKind } from "../../records/vehicle.js";
import { chosenVehicles } from "./chosen.js";
const defineUpdate = (noun, open) => {
  const update = noun.command("update").description("change a vehicle (updateVehicle); what is not given stays unchanged").argument("[vehicle...]", "ids, names, plates or VINs; leave out with --input or flags that choose vehicles").option("--name <text>", "its name", nameText).option("--plate <text>", "licence plate").option("--vin <vin>", "vehicle identification number").option("--make <text>", "manufacturer").option("--model <text>", "model").option("--year <year>", "model year", yearNumber).option("--type <type>", "type, by id or name; `fleet vehicles types` lists them").option("--schedule <schedule>", "work schedule, by id or name").option("--label <label>", "label, by id or name, replacing all earlier labels; repeat for more", repeatable).option("--deactivate", "deactivate the vehicle");
  update.addOption(update.createOption("--activate", "activate the vehicle").conflicts("deactivate"));
  addChangeFlags(update, { several: true });
  addVehicleFlags(update, { byLabel: false }).addHelpText(
    "after",
    `${examples(
      ['fleet vehicles update "Truck 07" --name "Truck 8" --plate "593 NYM"', ""],
      ['fleet vehicles update "Truck 07" --type Van --label Leased --label "Tail lift"', ""],
      ['fleet vehicles update "Truck 07" --vin "" --label ""', "clear the VIN and the labels"],
      ['fleet vehicles update "Van 01" "Van 02" --make Ford', "several: the plan, a question, then the changes"],
      ["fleet vehicles update --group Deliveries --type Van --dry-run", "those of a group: the plan only"],
      [
        'fleet vehicles update --filter "assignedLabels.name=Leased" --deactivate --yes',
        "those of a filter, in a script"
      ],
      ["fleet vehicles apply vehicles.csv", "several, from a spreadsheet"]
    )}

An empty text, "", clears the value of a flag. The given labels replace all earlier
labels of the vehicle. Of several vehicles, only those are sent that change; without vehicles and flags that choose
some, nothing is.`
  ).action((vehicles, flags) => {
    const context = open();
    const { label: labels, ...choosing } = flags;
    const { typed, chosen } = chosenVehicles(context, vehicles, choosing);
    return change(context, flags, {
      ...updateOf(vehicleKind, typed, [
        optionalReference("vehicleTypeId", vehicleTypeKind, flags.type),
        optionalReference("workScheduleId", scheduleKind, flags.schedule),
        { ...optionalReference("labelIds", labelKind, isCleared(labels) ? void 0 : labels), list: true }
      ]),
      flags: {
        name: flags.name,
        licensePlate: orNull(flags.plate),
        vin: orNull(flags.vin),
        make: orNull(flags.make),
        model: orNull(flags.model),
        year: orNull(flags.year),
        deactivated: flags.deactivate ? true : flags.activate ? false : void 0,
        // An empty value clears the member and is not looked up as a name.
        vehicleTypeId: flags.type === "" ? null : void 0,
        workScheduleId: flags.schedule === "" ? null : void 0,
        labelIds: isCleared(labels) ? [] : void 0
      },
      chosen,
      display: { view: vehicleKind.view }
    });
  });
};
function optionalReference(name, kind, typed) {
  return { name, into: "input", kind, typed: typed === "" ? void 0 : typed, requiredAs: null };
}
function isCleared(labels) {
  return labels?.length === 1 && labels[0] === "";
}
function orNull(value) {
  return value === "" ? null : value;
}
function nameText(text) {
  if (text.trim() === "") throw new InvalidArgumentError("A vehicle needs a name.");
  return text;
}
function yearNumber(text) {
  if (text === "") return "";
  if (!/^\d{4}$/.test(text)) throw new InvalidArgumentError("Write it with four digits, such as 2023.");
  return Number(text);
}
export {
  defineUpdate
};
