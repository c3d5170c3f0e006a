import { setTimeout as delay } from 'node:timers/promises';

import type { SimulatorProcess } from '@smalt/bed-openstack-simulator';
import { isJsonArray, isJsonObject, type JsonValue } from '@smalt/json';

const LOOK_AGAIN_MS = 200;
const OVER = ['completed', 'failed', 'error', 'cancelled'] as const;

/** Looks at the moves of a cloud again and again. */
export class MoveWatch implements AsyncDisposable {
  #most = 0;
  readonly #stopping = new AbortController();
  readonly #looking: Promise<void>;

  constructor(cloud: SimulatorProcess) {
    this.#looking = this.#look(cloud);
  }

  /** The most moves that were seen under way at a time. */
  get most(): number {
    return this.#most;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stopping.abort();
    await this.#looking;
  }

  async #look(cloud: SimulatorProcess): Promise<void> {
    while (!this.#stopping.signal.aborted) {
      this.#most = Math.max(this.#most, underWay(await cloud.tell('GET', '/moves')));
      await delay(LOOK_AGAIN_MS);
    }
  }
}

function underWay(moves: JsonValue): number {
  if (!isJsonArray(moves)) return 0;
  return moves.filter((move) => isJsonObject(move) && !OVER.some((status) => status === move['status'])).length;
}
