import type { Followers } from './plugin-methods.ts';

/** Whether the kubelet that was told of devices follows them. */
export class Following implements Followers {
  readonly #onChange: () => void;
  #count = 0;
  #hasBegun = false;

  constructor(onChange: () => void) {
    this.#onChange = onChange;
  }

  get hasBegun(): boolean {
    return this.#hasBegun;
  }

  get hasEnded(): boolean {
    return this.#hasBegun && this.#count === 0;
  }

  join(): void {
    this.#count++;
    this.#hasBegun = true;
    this.#onChange();
  }

  leave(): void {
    this.#count--;
    this.#onChange();
  }
}
