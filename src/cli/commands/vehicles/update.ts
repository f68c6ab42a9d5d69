// `fleet vehicles update`: changes the data of a vehicle.
import { InvalidArgumentError } from 'commander';
import type { Context } from '../../context/context.js';
import { type DefineCommand, examples } from '../../context/define-command.js';
import { addVehicleFlags, type VehicleFlags } from '../../find/vehicles.js';
import { repeatable } from '../../parse/repeatable.js';
import { change } from '../../plan/change.js';
import { type Reference, updateOf } from '../../plan/change-spec.js';
import { addChangeFlags, type ChangeFlags } from '../../plan/flags.js';
import type { RecordKind } from '../../records/record-kind.js';
import { labelKind, scheduleKind, vehicleTypeKind } from '../../records/reference-data.js';
import { vehicleKind } from '../../records/vehicle.js';
import { chosenVehicles } from './chosen.js';

interface UpdateFlags extends ChangeFlags, Omit<VehicleFlags, 'label'> {
  readonly name?: string;
  readonly plate?: string;
  readonly vin?: string;
  readonly make?: string;
  readonly model?: string;
  /** Empty to clear the year. */
  readonly year?: number | '';
  readonly type?: string;
  readonly schedule?: string;
  readonly label?: readonly string[];
  readonly deactivate?: true;
  readonly activate?: true;
}

export const defineUpdate: DefineCommand = (noun, open) => {
  const update = noun
    .command('update')
    .description('change a vehicle (updateVehicle); what is not given stays unchanged')
    .argument('[vehicle...]', 'ids, names, plates or VINs; leave out with --input or flags that choose vehicles')
    .option('--name <text>', 'its name', nameText)
    .option('--plate <text>', 'licence plate')
    .option('--vin <vin>', 'vehicle identification number')
    .option('--make <text>', 'manufacturer')
    .option('--model <text>', 'model')
    .option('--year <year>', 'model year', yearNumber)
    .option('--type <type>', 'type, by id or name; `fleet vehicles types` lists them')
    .option('--schedule <schedule>', 'work schedule, by id or name')
    .option('--label <label>', 'label, by id or name, replacing all earlier labels; repeat for more', repeatable)
    .option('--deactivate', 'deactivate the vehicle');
  update.addOption(update.createOption('--activate', 'activate the vehicle').conflicts('deactivate'));
  addChangeFlags(update, { several: true });
  addVehicleFlags(update, { byLabel: false })
    .addHelpText(
      'after',
      `${examples(
        ['fleet vehicles update "Truck 07" --name "Truck 8" --plate "593 NYM"', ''],
        ['fleet vehicles update "Truck 07" --type Van --label Leased --label "Tail lift"', ''],
        ['fleet vehicles update "Truck 07" --vin "" --label ""', 'clear the VIN and the labels'],
        ['fleet vehicles update "Van 01" "Van 02" --make Ford', 'several: the plan, a question, then the changes'],
        ['fleet vehicles update --group Deliveries --type Van --dry-run', 'those of a group: the plan only'],
        [
          'fleet vehicles update --filter "assignedLabels.name=Leased" --deactivate --yes',
          'those of a filter, in a script',
        ],
        ['fleet vehicles apply vehicles.csv', 'several, from a spreadsheet'],
      )}\n\n- An empty text, "", clears the value of a flag.
- The given labels replace all earlier labels of the vehicle.
- Of several vehicles, only those that change are sent.
- Without vehicles or flags that choose vehicles, nothing is sent.`,
    )
    .action((vehicles: readonly string[], flags: UpdateFlags) => updateVehicles(open(), vehicles, flags));
};

function updateVehicles(context: Context, vehicles: readonly string[], flags: UpdateFlags): Promise<void> {
  // Here --label sets labels and does not choose vehicles.
  const { label: labels, ...choosing } = flags;
  const { typed, chosen } = chosenVehicles(context, vehicles, choosing);
  return change(context, flags, {
    ...updateOf(vehicleKind, typed, [
      optionalReference('vehicleTypeId', vehicleTypeKind, flags.type),
      optionalReference('workScheduleId', scheduleKind, flags.schedule),
      { ...optionalReference('labelIds', labelKind, isCleared(labels) ? undefined : labels), list: true },
    ]),
    flags: {
      name: flags.name,
      licensePlate: orNull(flags.plate),
      vin: orNull(flags.vin),
      make: orNull(flags.make),
      model: orNull(flags.model),
      year: orNull(flags.year),
      deactivated: flags.deactivate ? true : flags.activate ? false : undefined,
      // An empty value clears the member.
      vehicleTypeId: flags.type === '' ? null : undefined,
      workScheduleId: flags.schedule === '' ? null : undefined,
      labelIds: isCleared(labels) ? [] : undefined,
    },
    chosen,
  });
}

function optionalReference(name: string, kind: RecordKind<never>, typed: Reference['typed']): Reference {
  return { name, into: 'input', kind, typed: typed === '' ? undefined : typed, requiredAs: null };
}

function isCleared(labels: readonly string[] | undefined): boolean {
  return labels?.length === 1 && labels[0] === '';
}

function orNull<Value>(value: Value | ''): Value | null {
  return value === '' ? null : value;
}

function nameText(text: string): string {
  if (text.trim() === '') throw new InvalidArgumentError('A vehicle needs a name.');
  return text;
}

function yearNumber(text: string): number | '' {
  if (text === '') return '';
  if (!/^\d{4}$/.test(text)) throw new InvalidArgumentError('Write it with four digits, such as 2023.');
  return Number(text);
}
