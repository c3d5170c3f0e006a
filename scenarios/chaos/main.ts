import { parseArgs } from 'node:util';

import { killApiServer } from './kill-api-server.ts';

const USAGE = `usage: npm run chaos -- [api-server] [--kills N] [--seed N] [--clients N] [--bundle]

  api-server   kills the API server again and again under load, and checks every promise it made (the default)

  --kills N    how often (300)
  --seed N     chooses what the clients do and when the server is killed (the time)
  --clients N  how many write at a time (8)
  --bundle     runs the bundle that \`npm start\` has made, not the sources`;

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
      bundle: { type: 'boolean' },
      help: { type: 'boolean' },
    },
  });
  const [name = 'api-server', ...rest] = positionals;
  if (values.help === true || name !== 'api-server' || rest.length > 0) {
    console.log(USAGE);
    return values.help === true ? 0 : 2;
  }
  const seed = wholeNumber('--seed', values.seed, Date.now() % 2 ** 31);
  const kills = wholeNumber('--kills', values.kills, 300);
  const clients = wholeNumber('--clients', values.clients, 8);
  console.log(`killing the API server ${kills} times, ${clients} clients, --seed ${seed}`);
  const began = performance.now();
  const program = values.bundle === true ? 'bundle' : 'sources';
  const report = await killApiServer({ kills, seed, clients, program, progress: (line) => console.log(line), signal });
  const seconds = ((performance.now() - began) / 1000).toFixed(0);
  for (const complaint of report.complaints) console.log(`BROKEN: ${complaint}`);
  const { acknowledgedWrites, events, longestRestartMs, complaints } = report;
  console.log(
    `${kills} kills in ${seconds} s: ${acknowledgedWrites} acknowledged writes, ${events} events, ` +
      `longest restart ${Math.round(longestRestartMs)} ms, ${complaints.length} broken promises`,
  );
  return complaints.length === 0 ? 0 : 1;
}

function wholeNumber(flag: string, text: string | undefined, standard: number): number {
  if (text === undefined) return standard;
  if (!/^\d{1,10}$/.test(text)) throw new RangeError(`${flag} must be a whole number, not "${text}"`);
  return Number(text);
}
