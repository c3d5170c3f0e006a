import { defineConfig, type ViteUserConfigFnObject } from 'vitest/config';

import { ClosingLineReporter } from './tools/vitest/closing-line-reporter.ts';
import { kubernetesFiles } from './tools/vitest/kubernetes-files.ts';
import { LongFilesFirst } from './tools/vitest/long-files-first.ts';

/** Proofs that take long have a command of their own, `npm run prove`. */
const SLOW = '**/*.slow.test.ts';

const FAST = ['{protocols,domain,clients,runtime,adapters,apps,beds,scenarios,benchmarks,tools}/**/*.test.ts'];

/** The files of a mode: `slow` has the long proofs, `kubernetes` all that can be on the real API server. */
function filesOf(mode: string): { readonly include: string[]; readonly exclude: string[] } {
  const exclude = ['**/node_modules/**'];
  if (mode === 'slow') return { include: [SLOW], exclude };
  if (mode === 'kubernetes') return { include: [...kubernetesFiles(import.meta.dirname)], exclude };
  return { include: FAST, exclude: [...exclude, SLOW] };
}

const config: ViteUserConfigFnObject = defineConfig(({ mode }) => ({
  test: {
    ...filesOf(mode),
    // Beds tie the life of what they start to the process that started it, so a test file needs a process, not a thread.
    pool: 'forks',
    isolate: false,
    // Most files wait for daemons half of the time, so there is work for twice as many workers as the two cores of a runner.
    // A real control plane is four servers, which keep both of them busy.
    maxWorkers: mode === 'kubernetes' ? 2 : 4,
    sequence: { sequencer: LongFilesFirst },
    testTimeout: mode === 'kubernetes' ? 90_000 : 30_000,
    // What is polled for comes when it comes: on a busy machine that is later than a second.
    expect: { poll: { timeout: 15_000 } },
    hookTimeout: 120_000,
    setupFiles: ['tools/vitest/tell-test-file.ts', 'tools/vitest/refuse-spinning.ts'],
    reporters: ['default', new ClosingLineReporter()],
  },
}));

export default config;
