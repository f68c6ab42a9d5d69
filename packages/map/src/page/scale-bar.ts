import { find, setText } from './dom.js';
import { metresAt } from './mercator.js';
import type { PageView } from './view.js';

const metric = { size: 1, small: 'm', large: 'km', ratio: 1_000 } as const;
const imperial = { size: 0.3048, small: 'ft', large: 'mi', ratio: 5_280 } as const;

export function showScale({ scale, top, height, width }: PageView, units: 'metric' | 'imperial'): void {
  const { size, small, large, ratio } = units === 'metric' ? metric : imperial;
  const metresPerPixel = metresAt((top + height / 2) / scale) / scale;
  const most = (Math.min(130, width / 3) * metresPerPixel) / size;
  const isLarge = most >= ratio;
  const round = roundBelow(isLarge ? most / ratio : most);
  const length = (round * (isLarge ? ratio : 1) * size) / metresPerPixel;
  const target = find('scale', HTMLElement);
  target.style.width = `${Math.round(length)}px`;
  setText(target, `${round} ${isLarge ? large : small}`);
}

/** Returns 1, 2 or 5 times a power of ten. */
function roundBelow(value: number): number {
  const power = 10 ** Math.floor(Math.log10(Math.max(value, 1)));
  return power * ([5, 2, 1].find((digit) => digit * power <= value) ?? 1);
}
