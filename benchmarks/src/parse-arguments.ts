import { parseArgs } from 'node:util';
import type { Benchmark, BenchmarkOptions } from './benchmark.ts';
import { BenchmarkError } from './benchmark-error.ts';

const DEFAULT_ROUNDS = 31;
const QUICK_ROUNDS = 5;
const MAX_ROUNDS = 1000;
const MAX_SIZE = 10_000;

/** What the command line asks for. */
export type Command =
  | { readonly kind: 'help' }
  | {
      readonly kind: 'run';
      readonly name: string;
      readonly rounds: number;
      readonly quick: boolean;
      /** The one peer that is measured, if not all are. */
      readonly only?: string;
      /** How large what is measured is, if not as large as the benchmark would have it. */
      readonly sizes?: readonly number[];
    };

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
  const sizes = values.sizes === undefined ? {} : { sizes: parseSizes(values.sizes) };
  return { kind: 'run', name, rounds, quick, ...sizes, ...(values.only !== undefined && { only: values.only }) };
}

/** Throws `bad-arguments` unless a benchmark has the peer, and the sizes, that were asked for. */
export function checkChoices(
  { only, sizes }: Pick<BenchmarkOptions, 'only' | 'sizes'>,
  { name, peers = [], hasSizes = false }: Pick<Benchmark, 'name' | 'peers' | 'hasSizes'>,
): void {
  if (sizes !== undefined && !hasSizes) throw new BenchmarkError('bad-arguments', `--sizes: ${name} has but one size`);
  if (only === undefined || peers.includes(only)) return;
  const reason = peers.length === 0 ? `${name} has no parts of its own` : `${name} has ${peers.join(', ')}`;
  throw new BenchmarkError('bad-arguments', `--only: "${only}" cannot be measured alone: ${reason}`);
}

/** The text of `--help`. */
export function helpText(benchmarks: readonly { readonly name: string; readonly summary: string }[]): string {
  const lines = benchmarks.map(({ name, summary }) => `  ${name.padEnd(12)}${summary}`);
  return [
    'usage: npm run bench -- NAME [--quick] [--rounds N] [--only PEER] [--sizes N,N…]',
    '',
    ...lines,
    '',
    `  --quick     fewer operations, ${QUICK_ROUNDS} rounds`,
    `  --rounds N  how often each measurement is repeated (${DEFAULT_ROUNDS})`,
    '  --only PEER one peer alone, where each takes long: fleet has smalt and kubernetes',
    '  --sizes N,N… from small to large, for another machine: fleet has 100,300,1000 hosts; figures are named for them',
  ].join('\n');
}

function parseWords(words: readonly string[]) {
  try {
    return parseArgs({
      args: [...words],
      allowPositionals: true,
      options: {
        help: { type: 'boolean', short: 'h' },
        quick: { type: 'boolean' },
        rounds: { type: 'string' },
        only: { type: 'string' },
        sizes: { type: 'string' },
      },
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

function parseSizes(text: string): readonly number[] {
  const sizes = text.split(',').map(Number);
  const isGrowing = sizes.every((size, index) => size > (sizes[index - 1] ?? 0));
  if (!/^\d+(,\d+)*$/.test(text) || !isGrowing || sizes.some((size) => size > MAX_SIZE)) {
    const wanted = `whole numbers from 1 to ${MAX_SIZE}, each larger than the one before, such as 30,100,200`;
    throw new BenchmarkError('bad-arguments', `--sizes: "${text}" is not a list of ${wanted}`);
  }
  return sizes;
}
