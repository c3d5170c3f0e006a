import { defineConfig, type ViteUserConfigFnObject } from 'vitest/config';

import { ClosingLineReporter } from './tools/vitest/closing-line-reporter.ts';
import { LongFilesFirst } from './tools/vitest/long-files-first.ts';

/** Proofs that take long have a command of their own, `npm run prove`. */
const SLOW = '**/*.slow.test.ts';

const config: ViteUserConfigFnObject = defineConfig(({ mode }) => ({
  test: {
    include:
      mode === 'slow'
        ? [SLOW]
        : ['{protocols,domain,clients,runtime,adapters,apps,beds,scenarios,benchmarks,tools}/**/*.test.ts'],
    exclude: ['**/node_modules/**', ...(mode === 'slow' ? [] : [SLOW])],
    // Beds tie the life of what they start to the process that started it, so a test file needs a process, not a thread.
    pool: 'forks',
    isolate: false,
    // Most files wait for daemons half of the time, so there is work for twice as many workers as the two cores of a runner.
    maxWorkers: 4,
    sequence: { sequencer: LongFilesFirst },
    testTimeout: 30_000,
    // What is polled for comes when it comes: on a busy machine that is later than a second.
    expect: { poll: { timeout: 15_000 } },
    hookTimeout: 120_000,
    reporters: ['default', new ClosingLineReporter()],
  },
}));

export default config;
