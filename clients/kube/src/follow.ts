import type { KubernetesObject, WatchEvent } from '@smalt/kubernetes';

import { systemClock, type Clock } from './clock.ts';
import { isKubeError, type KubeError } from './kube-error.ts';
import type { WatchOptions } from './request-options.ts';
import type { ResourceClient } from './resource-client.ts';

const FIRST_DELAY_MS = 500;
const LONGEST_DELAY_MS = 30_000;
const LONGEST_WATCH_SECONDS = 600;

export interface FollowOptions extends Omit<WatchOptions, 'sendInitialEvents'> {
  readonly resourceVersion: string;
  /** Told of each failure that a new watch will follow; `delayMs` is how long until then. */
  readonly onFailure?: ((error: KubeError, delayMs: number) => void) | undefined;
  readonly clock?: Clock | undefined;
  readonly random?: (() => number) | undefined;
}

/**
 * A watch without an end: when the server or the network ends one, the next goes on after the last event or bookmark, so
 * that nothing is missed and nothing comes twice. A batch is empty when there was only a bookmark. Ends when the signal fires. Throws a KubeError with the code `expired`
 * when the server no longer knows what came after the last event: then list again. Refusals are thrown as well.
 */
export async function* follow<T extends KubernetesObject>(
  client: ResourceClient<T>,
  options: FollowOptions,
): AsyncGenerator<readonly WatchEvent<T>[], void> {
  const { clock = systemClock, random = Math.random } = options;
  let { resourceVersion } = options;
  let failures = 0;
  while (options.signal?.aborted !== true) {
    try {
      // Servers and everything between drop watches; ending them at a time of our own is the gentler way.
      const timeoutSeconds = options.timeoutSeconds ?? Math.ceil(LONGEST_WATCH_SECONDS * (0.5 + random() / 2));
      for await (const events of client.watch({ ...options, resourceVersion, timeoutSeconds })) {
        failures = 0;
        resourceVersion = lastVersion(events) ?? resourceVersion;
        yield events.filter(({ type }) => type !== 'BOOKMARK');
      }
    } catch (error) {
      if (isKubeError(error, 'aborted')) return;
      if (!isPassing(error)) throw error;
      const delayMs = Math.min(LONGEST_DELAY_MS, FIRST_DELAY_MS * 2 ** failures) * (0.5 + random() / 2);
      failures++;
      options.onFailure?.(error, delayMs);
      await clock.wait(delayMs, options.signal).catch(() => undefined);
    }
  }
}

function isPassing(error: unknown): error is KubeError {
  return isKubeError(error, 'bad-answer', 'connection', 'server', 'timeout', 'too-many-requests', 'unauthorized');
}

function lastVersion<T extends KubernetesObject>(events: readonly WatchEvent<T>[]): string | undefined {
  const last = events.at(-1);
  return last === undefined || last.type === 'ERROR' ? undefined : last.object.metadata.resourceVersion;
}
