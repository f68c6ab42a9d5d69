// `fleet vehicles fields` and `set-field`: the fields that the fleet defined for itself, with their values for one vehicle.
import { operations } from '../../../generated/operation-table.js';
import { change } from '../../change/change.js';
import { customFieldInput, explainRefusal } from '../../change/custom-field.js';
import { addChangeFlags, type ChangeFlags } from '../../change/flags.js';
import { call } from '../../connection/call.js';
import { connect } from '../../connection/connect.js';
import { tolerate } from '../../errors/partial-result.js';
import { vehicleKind } from '../../find/kinds.js';
import { findId } from '../../find/record.js';
import { type DefineCommand, examples } from '../../run/command.js';
import { type Context, printRows } from '../../run/context.js';
import { listShape } from '../../shape/list-shape.js';
import { customFieldView } from '../../views/custom-field.js';
import { listOf, vehicleArgument, vehicleReference } from './reference.js';

export const defineFields: DefineCommand = (noun, open) => {
  noun
    .command('fields')
    .description('list the custom fields of a vehicle (getVehicleCustomFields)')
    .argument('<vehicle>', 'id, or a name, plate or VIN, or a part of one that fits a single vehicle')
    .addHelpText(
      'after',
      examples(
        ['fleet vehicles fields "Truck 07"', ''],
        ['fleet vehicles fields "Truck 07" --filter "name=Cost centre" -o json', ''],
        ['fleet vehicles list --fields name,customFields', 'those of all vehicles'],
      ),
    )
    .action((vehicle: string) => fields(open(), vehicle));

  const set = noun
    .command('set-field')
    .description('set the value of a custom field of a vehicle (updateVehicleCustomField)')
    .argument(...vehicleArgument)
    .argument('[name]', 'of the field, as `fleet vehicles fields` shows it')
    .argument('[value]', 'an empty one, "", clears the field');
  addChangeFlags(set, { input: true, asks: false });
  set
    .addHelpText(
      'after',
      examples(
        ['fleet vehicles set-field "Truck 07" "Cost centre" 4000', ''],
        ['fleet vehicles set-field "Truck 07" "Cost centre" ""', 'clears it'],
        ['fleet vehicles set-field "Truck 07" "Cost centre" -- -5', 'a value that begins with a dash'],
        ['fleet vehicles set-field --input fields.ndjson', '{"vehicleId": "Truck 07", "name": …, "value": …}'],
      ),
    )
    .action((vehicle: string | undefined, name: string | undefined, value: string | undefined, flags: ChangeFlags) =>
      setField(open(), vehicle, name, value, flags),
    );
};

async function fields(context: Context, vehicle: string): Promise<void> {
  const shape = listShape(context, customFieldView, operations.getVehicleCustomFields);
  const client = await connect(context);
  const rows = await listOf(context, client, vehicle, (vehicleId) =>
    tolerate(context, (options) =>
      call(client, 'getVehicleCustomFields', { vehicleId }, { ...options, ...shape.options }),
    ),
  );
  await printRows(context, shape.rows(rows), shape.view, 'The vehicle has no custom fields.');
}

async function setField(
  context: Context,
  vehicle: string | undefined,
  name: string | undefined,
  value: string | undefined,
  flags: ChangeFlags,
): Promise<void> {
  const spec = {
    operation: 'updateVehicleCustomField',
    references: [vehicleReference(vehicle)],
    ...customFieldInput(name, value),
    shown: { view: customFieldView },
  } as const;
  try {
    await change(context, flags, spec);
  } catch (error) {
    if (vehicle === undefined || name === undefined || flags.dryRun) throw error;
    throw await explainRefusal(context, error, name, () => fieldNames(context, vehicle));
  }
}

async function fieldNames(context: Context, vehicle: string): Promise<readonly string[]> {
  const client = await connect(context);
  const vehicleId = await findId(context, client, vehicleKind, vehicle, { substring: false });
  const fields = await client.getVehicleCustomFields({ vehicleId }, { signal: context.io.signal });
  return fields.flatMap(({ name }) => name ?? []);
}
