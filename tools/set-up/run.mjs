// Runs one of the repository's commands after providing what it needs: `node tools/set-up/run.mjs start`.
// It runs on whatever Node the system has (18 or newer) and before anything is installed, so it is plain JavaScript
// without dependencies; what it starts runs on the Node that package-lock.json pins.
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { operatingSystem } from './operating-system.mjs';
import { debianPackages } from './packages.mjs';
import { refusal } from './preconditions.mjs';
import { runProgram } from './run-program.mjs';
import { setUpSteps } from './steps.mjs';

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
// It may be gone by the time that everything is provided.
const parent = process.ppid;

/** @type {Readonly<Record<string, readonly string[]>>} */
const entries = {
  start: ['.cache/bundle/smalt.mjs', 'up'],
  test: ['tools/vitest/main.ts'],
  prove: ['tools/vitest/main.ts', '--mode', 'slow'],
  'prove-privilege': ['tools/least-privilege/main.ts'],
  'test-kubernetes': ['tools/vitest/main.ts', '--mode', 'kubernetes'],
  check: ['tools/check/main.ts'],
  bench: ['benchmarks/src/main.ts'],
  fuzz: ['clients/libvirt/fuzz/main.ts'],
  chaos: ['scenarios/chaos/main.ts'],
  simulate: ['scenarios/simulation/main.ts'],
  'bed-kubernetes': ['beds/kubernetes/src/main.ts'],
  images: ['tools/images/main.ts'],
};

const [command = '', ...rest] = process.argv.slice(2);
const entry = entries[command];
if (!entry) {
  console.error(`usage: node tools/set-up/run.mjs <${Object.keys(entries).join('|')}> [arguments]`);
  process.exit(2);
}

const { version } = operatingSystem();
const packages = debianPackages(command, version);
const refused = refusal(command, packages);
if (refused !== undefined) {
  console.error(refused);
  process.exit(1);
}

const tests = ['test', 'prove', 'prove-privilege', 'test-kubernetes'];
const runsKubernetes = command === 'test-kubernetes' || (command === 'prove-privilege' && !rest.includes('--ours'));
const needs = {
  bootsGuests: tests.includes(command),
  runsGuests: ['start', 'bench', ...tests].includes(command),
  runsBundle: ['start', 'prove', 'bench', 'chaos', 'images'].includes(command),
  // Its packages are listed for this version; elsewhere the tests that need it are left out.
  runsOpenStack: tests.includes(command) && version === '12',
  runsKubernetes,
  // Proofs in a cluster are left out where there are no images.
  runsImages: runsKubernetes || (command === 'prove' && existsSync(join(root, '.cache', 'images'))),
};
for (const step of setUpSteps(root, packages, needs)) provide(step);
await start(entry);

/** @param {import('./steps.mjs').Step} step */
function provide(step) {
  const label = `set-up  ${step.name.padEnd(18)}`;
  const todo = step.missing();
  if (todo === undefined) {
    console.log(`${label} ready`);
    return;
  }
  process.stdout.write(`${label} ${todo} … `);
  const began = Date.now();
  try {
    step.provide();
  } catch (error) {
    console.log('failed');
    console.error(error instanceof Error ? error.message : error);
    process.exit(1);
  }
  console.log(`done in ${((Date.now() - began) / 1000).toFixed(1)} s`);
}

/** @param {readonly string[]} script */
async function start(script) {
  const node = join(root, 'node_modules', '.bin', 'node');
  const env = {
    ...process.env,
    PATH: `${dirname(node)}:${process.env['PATH'] ?? ''}`,
    // Types are stripped once, not at every start: a tenth of the time and half of the memory.
    NODE_COMPILE_CACHE: join(root, 'node_modules', '.cache', 'compiled'),
  };
  process.exit(await runProgram(node, [...script, ...rest], { cwd: root, env, parent }));
}
