// `fleet vehicles update`.
import { InvalidArgumentError } from 'commander';
import { change } from '../../change/change.js';
import { addChangeFlags, type ChangeFlags } from '../../change/flags.js';
import { idsOf, type Reference } from '../../change/plan.js';
import { labelKind, scheduleKind, vehicleTypeKind } from '../../find/kinds.js';
import type { Kind } from '../../find/record.js';
import { repeatable } from '../../parse/repeatable.js';
import { type DefineCommand, examples } from '../../run/command.js';
import { vehicleView } from '../../views/vehicle.js';
import { vehicleArgument, vehicleReference } from './reference.js';

interface UpdateFlags extends ChangeFlags {
  readonly name?: string;
  readonly plate?: string;
  readonly vin?: string;
  readonly make?: string;
  readonly model?: string;
  /** Empty when it is to be cleared. */
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
    .description('change a vehicle (updateVehicle); what is not said stays as it is')
    .argument(...vehicleArgument)
    .option('--name <text>', 'what people call it', nameText)
    .option('--plate <text>', 'licence plate')
    .option('--vin <vin>', 'vehicle identification number')
    .option('--make <text>', 'who built it')
    .option('--model <text>', 'which model')
    .option('--year <year>', 'model year', yearNumber)
    .option('--type <type>', 'its type, by id or name; `fleet vehicles types` lists them')
    .option('--schedule <schedule>', 'its work schedule, by id or name')
    .option('--label <label>', 'a label it has from now on, by id or name; again for the next one', repeatable)
    .option('--deactivate', 'take it out of service');
  update.addOption(update.createOption('--activate', 'put it back into service').conflicts('deactivate'));
  addChangeFlags(update, { input: true, asks: false });
  update
    .addHelpText(
      'after',
      `${examples(
        ['fleet vehicles update "Truck 07" --name "Truck 8" --plate "593 NYM"', ''],
        ['fleet vehicles update "Truck 07" --type Van --label Leased --label "Tail lift"', ''],
        ['fleet vehicles update "Truck 07" --vin "" --label ""', 'without VIN and labels from now on'],
        ['fleet vehicles update --input changes.ndjson --failed again.ndjson', 'many'],
        ['{"vehicleId": "Truck 07", "licensePlate": "593 NYM"}', 'a line of such a file'],
      )}\n\nAn empty text, "", clears what a flag is about. The labels given are all that the\nvehicle has afterwards.`,
    )
    .action((vehicle: string | undefined, flags: UpdateFlags) =>
      change(open(), flags, {
        operation: 'updateVehicle',
        input: { variable: 'vehicleInput', type: 'VehicleInput' },
        references: [
          vehicleReference(vehicle),
          named('vehicleTypeId', vehicleTypeKind, flags.type),
          named('workScheduleId', scheduleKind, flags.schedule),
          { ...named('labelIds', labelKind, isNone(flags.label) ? undefined : flags.label), list: true },
        ],
        flags: {
          name: flags.name,
          licensePlate: orNull(flags.plate),
          vin: orNull(flags.vin),
          make: orNull(flags.make),
          model: orNull(flags.model),
          year: orNull(flags.year),
          deactivated: flags.deactivate ? true : flags.activate ? false : undefined,
          // What is to be cleared is no name to look for.
          vehicleTypeId: flags.type === '' ? null : undefined,
          workScheduleId: flags.schedule === '' ? null : undefined,
          labelIds: isNone(flags.label) ? [] : undefined,
        },
        shown: { view: vehicleView },
      }),
    );
};

function named<Row>(name: string, kind: Kind<Row>, said: Reference['said']): Reference {
  return { name, into: 'input', resolve: idsOf(kind), said: said === '' ? undefined : said, needed: null };
}

function isNone(labels: readonly string[] | undefined): boolean {
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
