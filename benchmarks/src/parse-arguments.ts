import { parseArgs } from 'node:util';
import { BenchmarkError } from './benchmark-error.ts';

const DEFAULT_ROUNDS = 31;
const QUICK_ROUNDS = 5;
const MAX_ROUNDS = 1000;

/** What the command line asks for. */
export type Command =
  | { readonly kind: 'help' }
  | { readonly kind: 'run'; readonly name: string; readonly rounds: number; readonly quick: boolean };

/** Reads the command line; `names` are the benchmarks there are. Throws `bad-arguments` on anything it does not know. */
export function parseArguments(words: readonly string[], names: readonly string[]): Command {
  const { values, positionals } = parseWords(words);
  if (values.help === true) return { kind: 'help' };

  const [name, ...extra] = positionals;
  const known = `benchmarks: ${names.join(', ')}`;
  if (name === undefined) throw new BenchmarkError('bad-arguments', `name a benchmark; ${known}`);
  if (!names.includes(name)) throw new BenchmarkError('bad-arguments', `no benchmark "${name}"; ${known}`);
  if (extra.length > 0)
    throw new BenchmarkError('bad-arguments', `one benchmark at a time, not also "${extra.join(' ')}"`);

  const quick = values.quick === true;
  const rounds = values.rounds === undefined ? defaultRounds(quick) : parseRounds(values.rounds);
  return { kind: 'run', name, rounds, quick };
}

/** The text of `--help`. */
export function helpText(benchmarks: readonly { readonly name: string; readonly summary: string }[]): string {
  const lines = benchmarks.map(({ name, summary }) => `  ${name.padEnd(12)}${summary}`);
  return [
    'usage: npm run bench -- NAME [--quick] [--rounds N]',
    '',
    ...lines,
    '',
    `  --quick     fewer operations, ${QUICK_ROUNDS} rounds`,
    `  --rounds N  how often each measurement is repeated (${DEFAULT_ROUNDS})`,
  ].join('\n');
}

function parseWords(words: readonly string[]) {
  try {
    return parseArgs({
      args: [...words],
      allowPositionals: true,
      options: { help: { type: 'boolean', short: 'h' }, quick: { type: 'boolean' }, rounds: { type: 'string' } },
    });
  } catch (error) {
    throw new BenchmarkError('bad-arguments', error instanceof Error ? error.message : String(error), { cause: error });
  }
}

function defaultRounds(quick: boolean): number {
  return quick ? QUICK_ROUNDS : DEFAULT_ROUNDS;
}

function parseRounds(text: string): number {
  const rounds = Number(text);
  if (!/^\d+$/.test(text) || rounds < 1 || rounds > MAX_ROUNDS) {
    throw new BenchmarkError('bad-arguments', `--rounds: "${text}" is not a whole number from 1 to ${MAX_ROUNDS}`);
  }
  return rounds;
}
