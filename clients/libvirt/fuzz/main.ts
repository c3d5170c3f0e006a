import { randomInt } from 'node:crypto';
import { parseArgs } from 'node:util';

import { attackChannel } from './attack-channel.ts';
import { attackDecoders } from './attack-decoders.ts';
import { attackSplitter } from './attack-splitter.ts';
import { Finding, type Attack } from './finding.ts';

/** More than garbage that has not been collected yet can explain. */
const MAX_GROWTH_BYTES = 512 * 1024 * 1024;
const attacks: Readonly<Record<string, Attack>> = {
  decoders: attackDecoders,
  splitter: attackSplitter,
  channel: attackChannel,
};

const { values } = parseArgs({
  options: {
    frames: { type: 'string', default: '1000000' },
    seed: { type: 'string', default: String(randomInt(0x1_0000_0000)) },
  },
});
const seed = Number(values.seed);
const frames = Math.ceil(Number(values.frames) / Object.keys(attacks).length);
if (!Number.isSafeInteger(seed) || !Number.isSafeInteger(frames) || frames <= 0) {
  throw new RangeError('--frames and --seed must be whole numbers');
}

console.log(`libvirt client: ${values.frames} frames, --seed ${seed}`);
process.on('unhandledRejection', (error) => {
  throw new Finding('a rejection that nobody handled', { cause: error });
});
const before = process.memoryUsage();
try {
  for (const [name, attack] of Object.entries(attacks)) {
    const started = performance.now();
    await attack(frames, seed, (done) => {
      checkMemory();
      console.log(`  ${name}: ${done} of ${frames}`);
    });
    checkMemory();
    console.log(`${name}: ${frames} frames in ${Math.round(performance.now() - started)} ms, nothing found`);
  }
  console.log('libvirt client: nothing found');
} catch (error) {
  if (!(error instanceof Finding)) throw error;
  console.error(`libvirt client: found with --seed ${seed}: ${error.message}`);
  process.exitCode = 1;
}

// Buffers lie outside the heap, and what both leave to the system only shows in the whole.
function checkMemory(): void {
  const now = process.memoryUsage();
  for (const part of ['heapUsed', 'arrayBuffers', 'rss'] as const) {
    const growth = now[part] - before[part];
    if (growth > MAX_GROWTH_BYTES) throw new Finding(`memory grew by ${growth} bytes of ${part}`);
  }
}
