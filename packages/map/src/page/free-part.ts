// The paddings of the uncovered part of the map: no legend, buttons or sheet.
import { find } from './dom.js';

type Corner = [number, number];

export function freePart(map: HTMLElement): { readonly paddingTopLeft: Corner; readonly paddingBottomRight: Corner } {
  const { top, bottom, right, width, height } = map.getBoundingClientRect();
  const below = [...document.querySelectorAll('.corner > *')].flatMap((element) => {
    const box = element.getBoundingClientRect();
    return box.height === 0 ? [] : [box.top];
  });
  const covered = bottom - Math.min(bottom, ...below);
  // A column on the right, or on a small screen a row above.
  const buttons = find('map-buttons', HTMLElement).getBoundingClientRect();
  const isRow = buttons.width > buttons.height;
  // Leaves room for names, but a part for the places also on a small map.
  return {
    paddingTopLeft: [Math.min(40, width / 5), Math.min(50 + (isRow ? buttons.bottom - top : 0), height / 4)],
    paddingBottomRight: [
      Math.min(isRow ? 40 : right - buttons.left + 20, width / 5),
      Math.min(covered + 20, height * 0.65),
    ],
  };
}
