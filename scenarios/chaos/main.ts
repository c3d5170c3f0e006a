import { parseArgs } from 'node:util';

import { killApiServer } from './kill-api-server.ts';
import { killVms } from './vms/kill-vms.ts';

const USAGE = `usage: npm run chaos -- [api-server] [--kills N] [--seed N] [--clients N] [--bundle]
       npm run chaos -- vms [--kills N] [--seed N] [--machines N]

  api-server    kills the API server again and again under load, and checks every promise it made (the default)
  vms           kills handlers, pod runners, controllers, libvirt, launchers and guests while machines come, move and go

  --kills N     how often (300; vms 100)
  --seed N      chooses what is done and what is killed when (the time)
  --clients N   how many write to the API server at a time (8)
  --machines N  how many machines there are (6)
  --bundle      runs the bundle that \`npm start\` has made, not the sources`;

type Values = Readonly<Partial<Record<'kills' | 'seed' | 'clients' | 'machines', string>>> & {
  readonly bundle?: boolean;
};

const stopping = new AbortController();
for (const name of ['SIGINT', 'SIGTERM'] as const)
  process.once(name, () => stopping.abort(new Error(`stopped by ${name}`)));

try {
  process.exitCode = await main(process.argv.slice(2), stopping.signal);
} catch (error) {
  console.error(error);
  process.exitCode = 1;
}

async function main(words: readonly string[], signal: AbortSignal): Promise<number> {
  const { values, positionals } = parseArgs({
    args: [...words],
    allowPositionals: true,
    options: {
      kills: { type: 'string' },
      seed: { type: 'string' },
      clients: { type: 'string' },
      machines: { type: 'string' },
      bundle: { type: 'boolean' },
      help: { type: 'boolean' },
    },
  });
  const [name = 'api-server', ...rest] = positionals;
  if (values.help !== true && rest.length === 0) {
    if (name === 'api-server') return await disturbApiServer(values, signal);
    if (name === 'vms') return await disturbMachines(values, signal);
  }
  console.log(USAGE);
  return values.help === true ? 0 : 2;
}

async function disturbApiServer(values: Values, signal: AbortSignal): Promise<number> {
  const seed = wholeNumber('--seed', values.seed, Date.now() % 2 ** 31);
  const kills = wholeNumber('--kills', values.kills, 300);
  const clients = wholeNumber('--clients', values.clients, 8);
  console.log(`killing the API server ${kills} times, ${clients} clients, --seed ${seed}`);
  const began = performance.now();
  const program = values.bundle === true ? 'bundle' : 'sources';
  const report = await killApiServer({ kills, seed, clients, program, progress: (line) => console.log(line), signal });
  const { acknowledgedWrites, events, longestRestartMs, complaints } = report;
  return conclude(
    complaints,
    `${kills} kills in ${secondsSince(began)} s: ${acknowledgedWrites} acknowledged writes, ${events} events, ` +
      `longest restart ${Math.round(longestRestartMs)} ms`,
  );
}

async function disturbMachines(values: Values, signal: AbortSignal): Promise<number> {
  const seed = wholeNumber('--seed', values.seed, Date.now() % 2 ** 31);
  const kills = wholeNumber('--kills', values.kills, 100);
  const machines = wholeNumber('--machines', values.machines, 6);
  console.log(`killing parts of the VM layer ${kills} times, ${machines} machines, --seed ${seed}`);
  const began = performance.now();
  const report = await killVms({ kills, seed, machines, progress: (line) => console.log(line), signal });
  const { deeds, refused, looks, settledMs, complaints } = report;
  return conclude(
    complaints,
    `${kills} kills in ${secondsSince(began)} s: ${deeds} orders, ${refused} refused, ` +
      `settled after ${Math.round(settledMs)} ms, looked ${looks} times for guests that run twice`,
  );
}

function conclude(complaints: readonly string[], summary: string): number {
  for (const complaint of complaints) console.log(`BROKEN: ${complaint}`);
  console.log(`${summary}, ${complaints.length} broken promises`);
  return complaints.length === 0 ? 0 : 1;
}

function secondsSince(began: number): string {
  return ((performance.now() - began) / 1000).toFixed(0);
}

function wholeNumber(flag: string, text: string | undefined, standard: number): number {
  if (text === undefined) return standard;
  if (!/^\d{1,10}$/.test(text)) throw new RangeError(`${flag} must be a whole number, not "${text}"`);
  return Number(text);
}
