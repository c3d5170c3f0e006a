import type { Table } from './format-table.ts';

/** What the caller of a benchmark may choose. */
export interface BenchmarkOptions {
  /** How many times each measurement is repeated; the median counts. */
  readonly rounds: number;
  /** Fewer operations per round: quick to run, wider spread. */
  readonly quick: boolean;
  /** The one of its peers that is measured; all if not given. */
  readonly only?: string | undefined;
  /** How large what is measured is, from small to large; the benchmark's own choice if not given. */
  readonly sizes?: readonly number[] | undefined;
  /** Told what is being done, one line at a time. */
  readonly progress: (line: string) => void;
}

/**
 * A ratio of a peer's cost to ours, so larger is better, or a quantity of ours alone, so smaller is; null where it was
 * not measured.
 */
export type Figure = number | null;

/** Everything one run found out. */
export interface BenchmarkReport {
  readonly bench: string;
  readonly facts: readonly string[];
  readonly tables: readonly Table[];
  readonly notes: readonly string[];
  readonly figures: Readonly<Record<string, Figure>>;
  /** The least that some of the figures should reach. */
  readonly targets: Readonly<Record<string, number>>;
  /** The most that some of the figures may be: those of ours alone. */
  readonly limits?: Readonly<Record<string, number>>;
  /** Whether something that should have been measured could not be; the notes say what, and the exit code is 1. */
  readonly hasFailed?: boolean;
}

/** One comparison of ours with its peers. */
export interface Benchmark {
  readonly name: string;
  /** One line for the list of benchmarks. */
  readonly summary: string;
  /** Those that can be measured alone. */
  readonly peers?: readonly string[];
  /** Whether it grows, by sizes that may be chosen. */
  readonly hasSizes?: boolean;
  run(options: BenchmarkOptions, signal: AbortSignal): Promise<BenchmarkReport>;
}
