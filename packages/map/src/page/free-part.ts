// Which part of the map nothing covers: what is fitted must not be under the legend, the buttons, or the sheet of a small screen.
import { find } from './dom.js';

type Corner = [number, number];

export function freePart(map: HTMLElement): { readonly paddingTopLeft: Corner; readonly paddingBottomRight: Corner } {
  const { top, bottom, right, width, height } = map.getBoundingClientRect();
  const below = [...document.querySelectorAll('.corner > *')].flatMap((element) => {
    const box = element.getBoundingClientRect();
    return box.height === 0 ? [] : [box.top];
  });
  const covered = bottom - Math.min(bottom, ...below);
  // A column beside the places, or on a small screen a row above them.
  const buttons = find('map-buttons', HTMLElement).getBoundingClientRect();
  const isRow = buttons.width > buttons.height;
  // Room for names, too. On a small map the places have a part in any case.
  return {
    paddingTopLeft: [Math.min(40, width / 5), Math.min(50 + (isRow ? buttons.bottom - top : 0), height / 4)],
    paddingBottomRight: [
      Math.min(isRow ? 40 : right - buttons.left + 20, width / 5),
      Math.min(covered + 20, height * 0.65),
    ],
  };
}
