import type { Logger } from './logger.ts';
import type { MetricsRegistry } from './metrics-registry.ts';

/** Says that an error was seen and that going on is right, and why. */
export type Ignore = (error: unknown, why: string) => void;

/** Makes the function that ignored errors are given to: it counts them by reason and shows them to who looks closely. */
export function createIgnore(metrics: MetricsRegistry, logger: Logger): Ignore {
  const ignored = metrics.counter({
    name: 'smalt_ignored_errors_total',
    help: 'Errors that were ignored on purpose, by the reason given.',
    labelNames: ['why'],
  });
  return (error, why) => {
    ignored.cell([why]).add();
    logger.debug({ error, why }, 'ignored an error');
  };
}
