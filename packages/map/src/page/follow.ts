// Keeps the map on the selected vehicle until the user moves the map or deselects it.
import { find } from './dom.js';

export class Follow {
  readonly #button = find('follow', HTMLButtonElement);
  #isOn = false;

  constructor(onStart: () => void) {
    this.#button.addEventListener('click', () => {
      this.#set(!this.#isOn);
      if (this.#isOn) onStart();
    });
  }

  get isOn(): boolean {
    return this.#isOn;
  }

  offer(hasVehicle: boolean): void {
    this.#button.hidden = !hasVehicle;
    if (!hasVehicle) this.end();
  }

  end(): void {
    this.#set(false);
  }

  #set(isOn: boolean): void {
    this.#isOn = isOn;
    this.#button.setAttribute('aria-pressed', String(isOn));
  }
}
