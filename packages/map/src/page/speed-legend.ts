import { find, make } from './dom.js';
import type { Formats } from './format.js';
import { speedClasses } from './speeds.js';

export function showSpeedLegend(formats: Formats): void {
  const entries = speedClasses.map(({ from, color }) => {
    const swatch = make('i');
    swatch.style.background = color;
    return make('span', {}, swatch, from === 0 ? '0' : formats.speed(from).replace(/\D+$/, ''));
  });
  const unit = formats.units === 'metric' ? 'km/h' : 'mph';
  find('legend', HTMLElement).replaceChildren(...entries, make('span', { class: 'unit' }, unit));
}
