import { execFile } from 'node:child_process';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

import type { Check } from './checks.ts';

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

export interface CheckResult {
  readonly passed: boolean;
  readonly output: string;
  readonly durationMs: number;
}

// Compilers written in Go hold much and drop little: at Go's own pace, a sixth of their time goes into looking for what to drop.
const GARBAGE_PACE = '400';

/** Runs one check in the repository's root and resolves with what it printed, passed or not. */
export function runCheck(check: Check): Promise<CheckResult> {
  const [name, ...args] = check.command;
  // Every tool is a script; run by this very Node it does not matter which one the PATH has.
  const tool = name === 'node' ? [] : [join(root, 'node_modules', '.bin', name)];
  // oxlint-disable-next-line node/no-process-env -- tools find their caches and each other by it
  const env = { GOGC: GARBAGE_PACE, ...process.env };
  const options = { cwd: root, env, maxBuffer: 64 << 20 };
  const began = performance.now();
  return new Promise((resolve) => {
    execFile(process.execPath, [...tool, ...args], options, (error, out, err) => {
      resolve({ passed: error === null, output: `${out}${err}`.trim(), durationMs: performance.now() - began });
    });
  });
}
