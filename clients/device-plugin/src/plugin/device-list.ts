import { isDeepStrictEqual } from 'node:util';

import type { DeviceOffer, OfferedDevice } from './device-offer.ts';

/** The devices of an offer as they were when somebody last looked, for those who follow them. */
export class DeviceList {
  readonly #offer: DeviceOffer;
  #devices: readonly OfferedDevice[] = [];
  #changed = Promise.withResolvers<void>();

  constructor(offer: DeviceOffer) {
    this.#offer = offer;
  }

  /** Looks at the devices; those who follow hear of it if something is different. */
  async refresh(): Promise<void> {
    const devices = await this.#offer.list();
    if (isDeepStrictEqual(devices, this.#devices)) return;
    this.#devices = devices;
    this.#changed.resolve();
    this.#changed = Promise.withResolvers<void>();
  }

  has(id: string): boolean {
    return this.#devices.some((device) => device.id === id);
  }

  /** All devices at once, and all again whenever something has changed, until the signal fires. */
  async *follow(signal: AbortSignal): AsyncGenerator<readonly OfferedDevice[], void, void> {
    const ended = Promise.withResolvers<void>();
    signal.addEventListener('abort', () => ended.resolve(), { once: true });
    while (!signal.aborted) {
      const changed = this.#changed.promise;
      yield this.#devices;
      await Promise.race([changed, ended.promise]);
    }
  }
}
