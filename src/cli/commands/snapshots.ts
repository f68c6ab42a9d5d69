// `fleet snapshots`: shows the snapshots of vehicles, the latest or those of a period.
import { type DefineCommand, examples } from '../context/define-command.js';
import { defineLatest } from './snapshots/latest.js';
import { defineSnapshotList } from './snapshots/list.js';

export const define: DefineCommand = (noun, open) => {
  noun.addHelpText(
    'after',
    examples(
      ['fleet snapshots latest', 'the latest snapshot of every vehicle'],
      ['fleet snapshots latest "Truck 07" --watch', 'keep showing the latest one'],
      ['fleet snapshots list "Truck 07" --from -2h', ''],
      ['fleet snapshots list "Truck 07" --from 2026-03-01 --to 2026-04-01 -o csv > march.csv', ''],
    ),
  );
  defineLatest(noun, open);
  defineSnapshotList(noun, open);
};
