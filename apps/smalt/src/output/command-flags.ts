import { InvalidArgumentError, Option, type Command } from 'commander';

/** Which cluster is meant, and where in it. */
export interface ClusterFlags {
  readonly kubeconfig?: string;
  readonly context?: string;
  readonly namespace?: string;
}

export const OUTPUT_FORMATS = ['table', 'json', 'yaml'] as const;
export type OutputFormat = (typeof OUTPUT_FORMATS)[number];

/** Adds the flags of every command that talks to a cluster. */
export function withClusterFlags(command: Command): Command {
  return command
    .option(
      '--kubeconfig <file>',
      'how to reach the cluster; else KUBECONFIG, else the smalt up of this machine, else ~/.kube/config',
    )
    .option('--context <name>', 'which cluster of the kubeconfig');
}

/** The same for commands about objects that live in a namespace. */
export function withNamespaceFlags(command: Command): Command {
  return withClusterFlags(command).option('-n, --namespace <name>', 'where it lives; else that of the kubeconfig');
}

/** Adds `-o` to a command that lists. */
export function withOutputFlag(command: Command): Command {
  return command.addOption(
    new Option('-o, --output <format>', 'how to print').choices(OUTPUT_FORMATS).default('table'),
  );
}

/** Adds `--wait` and how long. */
export function withWaitFlags(command: Command, what: string): Command {
  return command
    .option('--wait', `wait until ${what}`)
    .option('--timeout <duration>', 'how long to wait at most, such as 90s, 5m or 1h', parseDuration, 300_000);
}

const UNITS: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000 };
const LONGEST_MS = 7 * 24 * 3_600_000;

/** Milliseconds of `90s`, `5m`, `1h30m`. */
export function parseDuration(text: string): number {
  const parts = [...text.matchAll(/(\d{1,7})(ms|s|m|h)/gy)];
  const length = parts.reduce((sum, [part]) => sum + part.length, 0);
  const total = parts.reduce((sum, [, number, unit = '']) => sum + Number(number) * (UNITS[unit] ?? 0), 0);
  if (text !== '' && length === text.length && total > 0 && total <= LONGEST_MS) return total;
  throw new InvalidArgumentError('A duration is a number with a unit, such as 90s, 5m or 1h30m, and a week at most.');
}

/** A whole number, not negative. */
export function parseCount(text: string): number {
  if (/^\d{1,9}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('A whole number is needed, such as 100.');
}
