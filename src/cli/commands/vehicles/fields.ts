// `fleet vehicles fields` and `set-field`: lists the custom fields of vehicles, and sets those of one.
import type { CustomField } from '../../../index.js';
import { change } from '../../change/change.js';
import { customFieldInput, explainRefusal } from '../../change/custom-field.js';
import { addChangeFlags, type ChangeFlags } from '../../change/flags.js';
import { call } from '../../connection/call.js';
import { connect } from '../../connection/connect.js';
import type { Context } from '../../context/context.js';
import { type DefineCommand, examples } from '../../context/define-command.js';
import { vehicleKind } from '../../find/kinds.js';
import { findId } from '../../find/record.js';
import { addVehicleFlags, type VehicleFlags, vehiclesArgument } from '../../find/vehicles.js';
import { customFieldView } from '../../views/custom-field.js';
import { printParts, type VehiclePart, withVehicle } from './parts-of-several.js';
import { vehicleArgument, vehicleReference } from './reference.js';

export const defineVehicleFields: DefineCommand = (noun, open) => {
  const list = noun
    .command('fields')
    .description('list the custom fields of vehicles (getVehicleCustomFields)')
    .argument(...vehiclesArgument);
  addVehicleFlags(list)
    .addHelpText(
      'after',
      examples(
        ['fleet vehicles fields "Truck 07"', ''],
        ['fleet vehicles fields "Truck 07" --filter "name=Cost centre" -o json', ''],
        ['fleet vehicles fields --filter "name=Cost centre" -o csv', 'of all vehicles, with their names'],
      ),
    )
    .action((vehicles: readonly string[], flags: VehicleFlags) => printParts(open(), vehicles, flags, customFields));

  const set = noun
    .command('set-field')
    .description('set the value of a custom field of a vehicle (updateVehicleCustomField)')
    .argument(...vehicleArgument)
    .argument('[name]', 'name of the field, as in `fleet vehicles fields`')
    .argument('[value]', 'new value; an empty one, "", clears the field');
  addChangeFlags(set, { takesInput: true, confirms: false });
  set
    .addHelpText(
      'after',
      examples(
        ['fleet vehicles set-field "Truck 07" "Cost centre" 4000', ''],
        ['fleet vehicles set-field "Truck 07" "Cost centre" ""', 'clear the field'],
        ['fleet vehicles set-field "Truck 07" "Cost centre" -- -5', 'a value that begins with a dash'],
        ['fleet vehicles set-field --input fields.ndjson', '{"vehicleId": "Truck 07", "name": …, "value": …}'],
      ),
    )
    .action((vehicle: string | undefined, name: string | undefined, value: string | undefined, flags: ChangeFlags) =>
      setField(open(), vehicle, name, value, flags),
    );
};

const customFields: VehiclePart<CustomField> = {
  operation: 'getVehicleCustomFields',
  read: (client, vehicleId, options) => call(client, 'getVehicleCustomFields', { vehicleId }, options),
  view: customFieldView,
  noun: 'custom fields',
};

async function setField(
  context: Context,
  vehicle: string | undefined,
  name: string | undefined,
  value: string | undefined,
  flags: ChangeFlags,
): Promise<void> {
  const spec = {
    operation: 'updateVehicleCustomField',
    sets: true,
    printed: { type: 'CustomField', views: [withVehicle(customFieldView)] },
    references: [vehicleReference(vehicle)],
    ...customFieldInput(name, value),
    display: { view: customFieldView },
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
