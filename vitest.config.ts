import { defineConfig, type ViteUserConfig } from 'vitest/config';

import { ClosingLineReporter } from './tools/vitest/closing-line-reporter.ts';

const config: ViteUserConfig = defineConfig({
  test: {
    include: ['{protocols,domain,clients,runtime,adapters,apps,beds,scenarios,benchmarks,tools}/**/*.test.ts'],
    // Beds tie the life of what they start to the process that started it, so a test file needs a process, not a thread.
    pool: 'forks',
    isolate: false,
    maxWorkers: 2,
    testTimeout: 30_000,
    // What is polled for comes when it comes: on a busy machine that is later than a second.
    expect: { poll: { timeout: 15_000 } },
    hookTimeout: 120_000,
    reporters: ['default', new ClosingLineReporter()],
  },
});

export default config;
