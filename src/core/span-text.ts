// A span of time for people.

const units = [
  { name: 'd', seconds: 86_400 },
  { name: 'h', seconds: 3_600 },
  { name: 'min', seconds: 60 },
  { name: 's', seconds: 1 },
];

/** `3 d 14 h`, `45 min 10 s`: the two largest units. */
export function spanText(ms: number): string {
  let seconds = Math.trunc(ms / 1_000);
  const largest = units.findIndex((unit) => seconds >= unit.seconds);
  return units
    .slice(largest, largest + 2)
    .flatMap((unit) => {
      const count = Math.floor(seconds / unit.seconds);
      seconds %= unit.seconds;
      return count > 0 ? `${count} ${unit.name}` : [];
    })
    .join(' ');
}
