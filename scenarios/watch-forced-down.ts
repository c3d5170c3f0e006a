import { setTimeout as delay } from 'node:timers/promises';

import type { OpenStackClient } from '@smalt/openstack';

const POLL_MS = 50;

export interface ForcedDownWatch extends AsyncDisposable {
  /** When Nova last answered that nobody had called the host dead, as wall time in milliseconds before the question. */
  readonly lastFreeAt: number;
  readonly isForcedDown: boolean;
}

/** Asks Nova again and again whether a host is forced down. */
export function watchForcedDown(nova: OpenStackClient, host: string): ForcedDownWatch {
  const stopping = new AbortController();
  const seen = { lastFreeAt: 0, isForcedDown: false };
  const running = (async () => {
    while (!stopping.signal.aborted && !seen.isForcedDown) {
      const askedAt = Date.now();
      const service = await nova.compute.services.findCompute(host);
      seen.isForcedDown = service?.isForcedDown === true;
      if (!seen.isForcedDown) seen.lastFreeAt = askedAt;
      await delay(POLL_MS);
    }
  })();
  return Object.assign(seen, {
    async [Symbol.asyncDispose]() {
      stopping.abort();
      await running;
    },
  });
}
