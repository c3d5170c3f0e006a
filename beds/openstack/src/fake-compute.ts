import { askNova, type NovaOrder } from '@smalt/local-openstack';

import type { CloudCompute, CloudGuest, ComputeKnobs } from './cloud-compute.ts';

/** A hypervisor that exists in Nova's process only. */
export class FakeCompute implements CloudCompute {
  readonly name: string;
  readonly #controlSocket: string;

  constructor(name: string, controlSocket: string) {
    this.name = name;
    this.#controlSocket = controlSocket;
  }

  async start(signal?: AbortSignal): Promise<void> {
    await this.#ask({ verb: 'start', signal });
  }

  async stop(signal?: AbortSignal): Promise<void> {
    await this.#ask({ verb: 'stop', signal });
  }

  async crash(signal?: AbortSignal): Promise<void> {
    await this.#ask({ verb: 'crash', signal });
  }

  async cut(signal?: AbortSignal): Promise<void> {
    await this.#ask({ verb: 'cut', signal });
  }

  async heal(signal?: AbortSignal): Promise<void> {
    await this.start(signal);
  }

  async expireReport(signal?: AbortSignal): Promise<void> {
    await this.#ask({ verb: 'expire', signal });
  }

  async setKnobs(knobs: Partial<ComputeKnobs>, signal?: AbortSignal): Promise<void> {
    await this.#ask({ verb: 'knobs', body: knobs, signal });
  }

  async guests(signal?: AbortSignal): Promise<readonly CloudGuest[]> {
    const found = await this.#ask({ verb: 'guests', signal });
    return Array.isArray(found) ? found.filter(isGuest) : [];
  }

  async #ask(order: Omit<NovaOrder, 'host'>): Promise<unknown> {
    return askNova(this.#controlSocket, { ...order, host: this.name });
  }
}

function isGuest(value: unknown): value is CloudGuest {
  return typeof value === 'object' && value !== null && 'id' in value && 'name' in value && 'state' in value;
}
