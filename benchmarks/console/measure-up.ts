import { resolve } from 'node:path';

import { startSmalt } from '@smalt/bed-console';

const BUNDLE = resolve(import.meta.dirname, '../../.cache/bundle/smalt.mjs');
const START_MS = 120_000;

/** How long `smalt up` takes until it is ready, on an empty data directory and from the bundle, as `npm start` runs it. */
export async function measureUp(signal: AbortSignal): Promise<number> {
  const inTime = AbortSignal.any([signal, AbortSignal.timeout(START_MS)]);
  await using smalt = await startSmalt({ program: BUNDLE, isFirst: true, flags: ['--no-demo'], signal: inTime });
  return smalt.readyMs;
}
