// Which part of the map nothing covers: what is fitted must not be under the legend, the buttons, or the sheet of a small screen.

type Corner = [number, number];

export function freePart(map: HTMLElement): { readonly paddingTopLeft: Corner; readonly paddingBottomRight: Corner } {
  const { bottom, width, height } = map.getBoundingClientRect();
  const tops = [...document.querySelectorAll('.corner > *')].flatMap((element) => {
    const box = element.getBoundingClientRect();
    return box.height === 0 ? [] : [box.top];
  });
  const covered = bottom - Math.min(bottom, ...tops);
  // Room for names, too. On a small map the places have a part in any case.
  return {
    paddingTopLeft: [Math.min(40, width / 5), Math.min(50, height / 5)],
    paddingBottomRight: [Math.min(60, width / 5), Math.min(covered + 20, height * 0.7)],
  };
}
