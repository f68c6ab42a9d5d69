// Parses a distance, such as 200m, 1.5km or 3mi.
import { InvalidArgumentError } from 'commander';

const metresIn: Readonly<Record<string, number>> = { m: 1, km: 1_000, mi: 1_609.344 };

export function distance(text: string): number {
  const [, number, unit = 'm'] = /^(\d+(?:\.\d+)?)\s*(m|km|mi)?$/.exec(text.trim()) ?? [];
  const metres = Number(number) * (metresIn[unit] ?? 1);
  if (metres > 0 && metres <= 1_000_000) return metres;
  throw new InvalidArgumentError('Write it as 200m, 1.5km or 3mi; a number without a unit is metres.');
}
