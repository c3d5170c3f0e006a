import { spawnSync } from 'node:child_process';

/** Whether the machine has Prometheus' own checker, Debian's package `prometheus`. */
export function hasPromtool(): boolean {
  return spawnSync('promtool', ['--version']).status === 0;
}

/** What promtool has to say; nothing where all is well. */
export function runPromtool(words: readonly string[]): string {
  const { status, stderr, stdout } = spawnSync('promtool', words, { encoding: 'utf8' });
  return status === 0 ? '' : `${stdout}${stderr}`;
}
