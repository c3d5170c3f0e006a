import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

import type { OvsNode } from '@smalt/bed-ovs';

import { BenchmarkError } from '../src/benchmark-error.ts';
import { median } from '../src/sample-summary.ts';
import type { LookCost } from './ovs-result.ts';
import { spentBy } from './spent-by.ts';

const run = promisify(execFile);
const MILLISECONDS = 1_000;
// The shell counts the processor time of what it runs; the words are arguments and never become code.
const TIMED = 'TIMEFORMAT="%3U %3S"; time "$@" >/dev/null';

/** The tools that people and scripts look at a switch with. */
const TOOLS: readonly (readonly [string, ...string[]])[] = [
  ['ovs-ofctl', 'dump-flows', 'br-int'],
  ['ovs-ofctl', 'dump-aggregate', 'br-int'],
  ['ovs-vsctl', 'show'],
];

/** Measures what one run of each tool costs; the median of several counts. */
export async function measureTools(node: OvsNode, runs: number, signal: AbortSignal): Promise<readonly LookCost[]> {
  const costs: LookCost[] = [];
  for (const tool of TOOLS) {
    const samples: LookCost[] = [];
    for (let round = 0; round < runs; round++) samples.push(await costOf(node, tool, signal));
    costs.push({
      name: tool.join(' '),
      vswitchdMs: median(samples.map(({ vswitchdMs }) => vswitchdMs)),
      databaseMs: median(samples.map(({ databaseMs }) => databaseMs)),
      clientMs: median(samples.map(({ clientMs }) => clientMs)),
    });
  }
  return costs;
}

async function costOf(node: OvsNode, tool: readonly string[], signal: AbortSignal): Promise<LookCost> {
  const before = await spentBy(node);
  const { stderr } = await run('bash', ['--norc', '-c', TIMED, 'timed', ...tool], {
    env: { PATH: '/usr/sbin:/usr/bin:/sbin:/bin', LC_ALL: 'C', ...node.place.environment },
    signal,
  });
  const after = await spentBy(node);
  const [user, system] = stderr.trim().split(' ').map(Number);
  if (user === undefined || system === undefined || Number.isNaN(user + system))
    throw new BenchmarkError('peer-failed', `${tool.join(' ')}: ${stderr}`);
  return {
    name: tool.join(' '),
    vswitchdMs: (after.vswitchd - before.vswitchd) * MILLISECONDS,
    databaseMs: (after.database - before.database) * MILLISECONDS,
    clientMs: (user + system) * MILLISECONDS,
  };
}
