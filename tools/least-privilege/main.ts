// Runs the stories of components under their own accounts, and compares what they did with what the chart lets them do.
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';

import { accountRequests, type AccountRequest } from './account-request.ts';
import { compareRights } from './compare-rights.ts';
import { NOT_SHOWN, PROVOKED } from './exceptions.ts';
import { grantedRights } from './granted-rights.ts';
import { RIGHTS_AWAY } from './kubernetes-exceptions.ts';
import { planRuns, storyDirectories, type StoryRun } from './plan-runs.ts';
import { readChartRights } from './read-chart-rights.ts';
import { STORIES } from './stories.ts';

const USAGE = `usage: npm run prove:privilege -- [--logs DIRECTORY] [--again] [--ours] [PART OF A FILE NAME …]

  Runs the stories in which components act under their own accounts, with an audit log, on our API server and on the real one. Ends
  with 1 for anything that an account was refused, and for any right of the chart that no account used.

  --logs DIRECTORY  keeps the audit logs there; else they go when all is compared
  --again           runs nothing, and compares what is in that directory
  --ours            leaves the real API server out; then rights that are not used are told, and are no fault`;

const ROOT = resolve(import.meta.dirname, '../..');
const stopping = new AbortController();
for (const name of ['SIGINT', 'SIGTERM'] as const)
  process.once(name, () => stopping.abort(new Error(`stopped by ${name}`)));

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    logs: { type: 'string' },
    again: { type: 'boolean' },
    ours: { type: 'boolean' },
    help: { type: 'boolean' },
  },
});
if (values.help === true) console.log(USAGE);
else process.exitCode = await main();

async function main(): Promise<number> {
  const hasKubernetes = existsSync(join(ROOT, '.cache/kubernetes'));
  if (!hasKubernetes && values.ours !== true) {
    console.error(
      'there is no Kubernetes to run on: npm run bed:kubernetes -- --build builds it; or leave it out with --ours',
    );
    return 2;
  }
  const directory =
    values.logs === undefined ? await mkdtemp(join(tmpdir(), 'smalt-privilege-')) : resolve(values.logs);
  const runs = planRuns(STORIES, { isOursAlone: values.ours === true, names: positionals });
  try {
    const failed = values.again === true ? [] : await runAll(runs, directory);
    return await tell(directory, failed);
  } finally {
    if (values.logs === undefined) await rm(directory, { recursive: true, force: true });
  }
}

/** Runs them one after the other; those that failed. */
async function runAll(runs: readonly StoryRun[], directory: string): Promise<readonly StoryRun[]> {
  const failed: StoryRun[] = [];
  for (const run of runs) {
    stopping.signal.throwIfAborted();
    const audit = join(directory, run.directory);
    await rm(audit, { recursive: true, force: true });
    await mkdir(audit, { recursive: true });
    console.log(`story  ${run.title}`);
    if ((await runVitest(run, audit)) !== 0) failed.push(run);
  }
  return failed;
}

async function runVitest({ words }: StoryRun, audit: string): Promise<number> {
  const vitest = join(ROOT, 'node_modules/vitest/vitest.mjs');
  const child = spawn(process.execPath, [vitest, 'run', ...words], {
    cwd: ROOT,
    stdio: 'inherit',
    // oxlint-disable-next-line node/no-process-env -- what a run of tests is told beyond its mode
    env: { ...process.env, SMALT_AUDIT_DIRECTORY: audit },
  });
  const stop = (): void => void child.kill('SIGTERM');
  stopping.signal.addEventListener('abort', stop, { once: true });
  const [code]: unknown[] = await once(child, 'exit');
  stopping.signal.removeEventListener('abort', stop);
  return typeof code === 'number' ? code : 1;
}

async function tell(directory: string, failed: readonly StoryRun[]): Promise<number> {
  const rights = grantedRights(await readChartRights(ROOT));
  const requests = await readRequests(directory);
  const compared = compareRights({
    rights,
    requests,
    notShown: NOT_SHOWN,
    provoked: PROVOKED,
    rightsAway: RIGHTS_AWAY,
  });
  const isPart = values.ours === true || positionals.length > 0;
  list(
    'stories that failed',
    failed.map(({ title }) => title),
  );
  list('refused', compared.refusals);
  list('rights that nobody used', compared.unused);
  if (!isPart) list('exceptions that are none any more', compared.stale);
  const accounts = new Set(requests.map(({ account }) => account)).size;
  console.log(`\n${rights.length} rights, ${requests.length} requests of ${accounts} accounts`);
  const faults = failed.length + compared.refusals.length;
  return faults + (isPart ? 0 : compared.unused.length + compared.stale.length) === 0 ? 0 : 1;
}

async function readRequests(directory: string): Promise<readonly AccountRequest[]> {
  const requests: AccountRequest[] = [];
  const known = storyDirectories(STORIES);
  for (const story of (await readdir(directory)).filter((name) => known.has(name))) {
    for (const file of await readdir(join(directory, story))) {
      const lines = (await readFile(join(directory, story, file), 'utf8')).split('\n');
      for (const line of lines) requests.push(...accountRequests(story, line));
    }
  }
  return requests;
}

function list(title: string, lines: readonly string[]): void {
  console.log(`\n${title}: ${lines.length === 0 ? 'none' : lines.length}`);
  for (const line of lines) console.log(`  ${line}`);
}
