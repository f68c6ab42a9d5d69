// Writes the measurements as the tables of docs/telemetry.md.
import type { DeviceGroup } from './devices.js';
import type { Measurement } from './measure.js';
import { type Bias, type FleetBias, shareOf } from './reference-fleet.js';

export function accuracyTable({ about, devices }: DeviceGroup, measured: ReadonlyMap<string, Measurement>): string {
  const rows = devices.map((device) => {
    const measurement = measured.get(deviceKey(about, device.name));
    const cells = measurement === undefined ? [] : cellsOf(measurement);
    return `| ${[device.name, ...cells].join(' | ')} |`;
  });
  return `| ${about} | distance | moving | idle | unseen | fuel | drivers | trips |\n|---|---|---|---|---|---|---|---|\n${rows.join('\n')}\n`;
}

export function fleetTable({ odometer, positions, fuel }: FleetBias): string {
  const row = (about: string, unit: string, bias: Bias) => {
    const worst = `${Math.round(bias.worst * 1000)} ${unit === 'km' ? 'm' : 'ml'}`;
    const truth = `${Math.round(bias.truth).toLocaleString('en')} ${unit}`;
    return `| ${about} | ${bias.trips} | ${truth} | ${signed(shareOf(bias) * 100, 3)} % | ${worst} |`;
  };
  return `| Reference fleet, three days | trips | truth | bias | worst trip |
|---|---|---|---|---|
${row('distance by odometer', 'km', odometer)}
${row('distance by positions', 'km', positions)}
${row('fuel', 'l', fuel)}
`;
}

/** Two groups may have devices of equal names. */
export function deviceKey(about: string, name: string): string {
  return `${about}: ${name}`;
}

function cellsOf({ truth, found, hasFuel, hasRightDrivers, failure }: Measurement): readonly string[] {
  if (failure !== null) return ['an error', '', '', '', '', '', ''];
  const distance = truth.km < 1 ? `${signed(found.km - truth.km, 1)} km` : percent(found.km, truth.km);
  return [
    distance,
    duration(found.movingSeconds - truth.movingSeconds),
    duration(found.idleSeconds - truth.idleSeconds),
    found.unseenSeconds === 0 ? '' : duration(found.unseenSeconds).replace('+', ''),
    hasFuel ? percent(found.litres, truth.litres) : 'none',
    hasRightDrivers ? 'right' : 'wrong',
    `${found.trips} of ${truth.trips}`,
  ];
}

function percent(found: number, truth: number): string {
  return `${signed((found / truth - 1) * 100, 1)} %`;
}

function duration(seconds: number): string {
  if (Math.abs(seconds) < 120) return `${signed(seconds, 0)} s`;
  return Math.abs(seconds) < 7200 ? `${signed(seconds / 60, 0)} min` : `${signed(seconds / 3600, 1)} h`;
}

function signed(value: number, digits: number): string {
  const text = Math.abs(value).toFixed(digits).replace(/\.0+$/, '');
  if (Number(text) === 0) return '0';
  return value > 0 ? `+${text}` : `-${text}`;
}
