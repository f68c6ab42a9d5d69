// `fleet vehicles`: lists, shows and changes vehicles, with their fields, sensors and groups.
import { type DefineCommand, examples } from '../context/define-command.js';
import { defineTypes } from './reference-data.js';
import { defineApplyVehicles } from './vehicles/apply.js';
import { defineVehicleFields } from './vehicles/fields.js';
import { defineGet } from './vehicles/get.js';
import { defineVehicleGroups } from './vehicles/groups.js';
import { defineVehicleList } from './vehicles/list.js';
import { defineMove } from './vehicles/move.js';
import { defineNear } from './vehicles/near.js';
import { defineSensors } from './vehicles/sensors.js';
import { defineStatus } from './vehicles/status.js';
import { defineUpdate } from './vehicles/update.js';

export const define: DefineCommand = (noun, open) => {
  noun.addHelpText(
    'after',
    examples(
      ['fleet vehicles list', 'a table; tsv in a pipe'],
      ['fleet vehicles list --active -o json', 'for a script, without deactivated vehicles'],
      ['fleet vehicles get "Truck 07"', 'by name, plate, VIN or id'],
      ['fleet vehicles update "Truck 07" --plate "593 NYM"', 'what is not given stays unchanged'],
      ['fleet vehicles apply vehicles.csv', 'make vehicles what a spreadsheet says'],
      ['fleet vehicles groups "Truck 07" --add "Winter roster"', ''],
    ),
  );
  defineVehicleList(noun, open);
  defineGet(noun, open);
  defineUpdate(noun, open);
  defineApplyVehicles(noun, open);
  defineTypes(noun, open);
  defineVehicleFields(noun, open);
  defineSensors(noun, open);
  defineVehicleGroups(noun, open);
  defineMove(noun, open);
  defineStatus(noun, open);
  defineNear(noun, open);
};
