// Partial names in commands that read: accepted only for a single match, and with a warning.
import { beforeEach, describe, expect, test } from 'vitest';
import { type Shell, service, shellOf } from './harness.js';

let fleet: Shell;
beforeEach(async () => {
  const { fetch } = service({ vehicles: 3 });
  fleet = shellOf('demo', fetch);
  const { stdout } = await fleet(['vehicles', 'list', '-o', 'json']);
  const ids = JSON.parse(stdout).map(({ id }: { id: string }) => id);
  for (const [index, name] of ['Van 10', 'Truck 3', 'Truck 33'].entries()) {
    expect((await fleet(['vehicles', 'update', ids[index], '--name', name])).code).toBe(0);
  }
});

const fields = ['--fields', 'name', '-o', 'json'];
const get = (...words: readonly string[]) => fleet(['vehicles', 'get', ...words, ...fields]);
const onTerminal = { terminal: 120, env: { NO_COLOR: '1' } };
const partialNameWarning =
  'warning: There is no vehicle "van"; this is Van 10, the only one with this text in its name.';

describe('a part of a name', () => {
  test('that matches one record is accepted on a terminal, with a line on stderr', async () => {
    const { code, stdout, stderr } = await fleet(['vehicles', 'get', 'van', ...fields], onTerminal);
    expect({ code, row: JSON.parse(stdout), stderr }).toEqual({
      code: 0,
      row: { name: 'Van 10' },
      stderr: `${partialNameWarning}\n`,
    });
    for (const words of [
      ['snapshots', 'latest', 'van'],
      ['trips', 'list', 'van', '--from', '-1h'],
    ]) {
      expect((await fleet(words, onTerminal)).stderr).toContain(partialNameWarning);
    }
  });

  test.each([
    ['in a pipe', [], {}],
    ['under --no-input', ['--no-input'], onTerminal],
  ])('is not accepted %s: a script would get another record tomorrow', async (_, flags, place) => {
    const { code, stdout, stderr } = await fleet(['vehicles', 'get', 'van', ...fields, ...flags], place);
    expect({ code, stdout }).toEqual({ code: 5, stdout: '' });
    expect(JSON.parse(stderr).error).toMatchObject({
      code: 'NOT_FOUND',
      message: 'There is no vehicle "van"; one vehicle has this text in a name.',
      choices: [{ name: 'Van 10' }],
    });
  });

  test('does not match within a number: Van 1 is not Van 10', async () => {
    const { code, stderr } = await fleet(
      ['trips', 'list', 'Van 1', '--on', 'yesterday', '--sum-by', 'vehicle'],
      onTerminal,
    );
    expect({ code, stderr }).toEqual({
      code: 5,
      stderr: 'error: There is no vehicle "Van 1".\nhint: Did you mean "Van 10"?\n',
    });
  });

  test('that matches several records is refused with the candidates', async () => {
    const { code, stderr } = await get('ruck');
    expect(code).toBe(2);
    expect(JSON.parse(stderr).error.choices).toMatchObject([{ name: 'Truck 3' }, { name: 'Truck 33' }]);
  });

  test('is not enough for a change, which lists the candidates too', async () => {
    const { code, stderr } = await fleet(['vehicles', 'update', 'ruck', '--name', 'x']);
    expect(code).toBe(5);
    expect(stderr).toMatch(/2 vehicles have this text in a name\.\n.*Truck 3 .*\n.*Truck 33/);
  });
});

describe('an id is given whole', () => {
  /** Returns digits of the id of `Van 10` that no name, plate or VIN contains. */
  const partOfId = async (): Promise<string> => {
    const { stdout } = await fleet(['vehicles', 'list', '--fields', 'id,name,licensePlate,vin', '-o', 'json']);
    const rows: { id: string; name: string; licensePlate: string; vin: string }[] = JSON.parse(stdout);
    const texts = rows
      .flatMap(({ name, licensePlate, vin }) => [name, licensePlate, vin])
      .join('|')
      .toLowerCase();
    const id = rows.find(({ name }) => name === 'Van 10')?.id ?? '';
    const parts = Array.from({ length: id.length - 4 }, (_, at) => id.slice(at, at + 4));
    return parts.find((part) => !part.includes('-') && !texts.includes(part)) ?? '';
  };

  test('a part of one names no vehicle', async () => {
    const part = await partOfId();
    expect(part).toHaveLength(4);
    const { code, stdout, stderr } = await get(part);
    expect({ code, stdout }).toEqual({ code: 5, stdout: '' });
    expect(JSON.parse(stderr).error).toMatchObject({ message: `There is no vehicle "${part}".` });
  });

  test('nor does a part of an employee id, which is found whole', async () => {
    const people = await fleet([
      'people',
      'list',
      '--filter',
      'employeeId!=',
      '--fields',
      'id,employeeId',
      '-o',
      'json',
    ]);
    const [{ id, employeeId }] = JSON.parse(people.stdout);
    const whole = await fleet(['people', 'get', employeeId, '--fields', 'id', '-o', 'json']);
    expect({ code: whole.code, row: JSON.parse(whole.stdout) }).toEqual({ code: 0, row: { id } });
    expect((await fleet(['people', 'get', employeeId.slice(2), '-o', 'json'])).code).toBe(5);
  });
});

test('the whole name wins over parts of names, without a word', async () => {
  const { code, stdout, stderr } = await get('truck 3');
  expect({ code, row: JSON.parse(stdout), stderr }).toEqual({ code: 0, row: { name: 'Truck 3' }, stderr: '' });
});
