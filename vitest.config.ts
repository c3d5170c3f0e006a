import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['{protocols,clients,runtime,apps,beds,scenarios,benchmarks,tools}/**/*.test.ts'],
    pool: 'forks',
    isolate: false,
    maxWorkers: 2,
    testTimeout: 30_000,
    hookTimeout: 120_000,
  },
});
