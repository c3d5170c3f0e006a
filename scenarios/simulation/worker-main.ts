import process from 'node:process';

import { playSeeds } from './play-seeds.ts';
import type { SeedRange } from './seed-range.ts';

// The parent sends ranges of seeds and is sent their totals; when it is gone there is nothing left to do.
process.on('message', (message: unknown) => {
  if (!isRange(message)) throw new TypeError('a worker is sent ranges of seeds, and nothing else');
  void playSeeds(message).then((totals) => process.send?.(totals));
});
process.on('disconnect', () => process.exit(0));

function isRange(message: unknown): message is SeedRange {
  return typeof message === 'object' && message !== null && 'first' in message && 'last' in message;
}
