// Whether the map stays with the chosen vehicle. It ends when somebody moves the map, or chooses no vehicle.
import { find } from './dom.js';

export class Follow {
  readonly #button = find('follow', HTMLButtonElement);
  #isOn = false;

  /** `onStart`: the map goes to the vehicle. */
  constructor(onStart: () => void) {
    this.#button.addEventListener('click', () => {
      this.#set(!this.#isOn);
      if (this.#isOn) onStart();
    });
  }

  get isOn(): boolean {
    return this.#isOn;
  }

  /** Only a chosen vehicle can be followed. */
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
