import type { HealthReport } from './health-registry.ts';

const MOST_TEXT = 1_000;

export interface HealthAnswer {
  readonly status: 200 | 500;
  readonly text: string;
}

/**
 * A report as Kubernetes answers it: `ok`, or a line per check when asked for or when something failed. Why a check
 * failed is not said unless wanted, because anyone may ask where a service is open to all.
 */
export function renderHealth(report: HealthReport, isVerbose: boolean, withReasons = false): HealthAnswer {
  if (report.isHealthy && !isVerbose) return { status: 200, text: 'ok' };
  const lines = report.results.map(({ name, isExcluded, error }) => {
    if (isExcluded) return `[+]${name} excluded: ok\n`;
    return error === undefined
      ? `[+]${name} ok\n`
      : `[-]${name} failed: ${withReasons ? reasonOf(error) : 'reason withheld'}\n`;
  });
  const unknown = report.unknownExclusions.map((name) => `"${name}"`).join(', ');
  const warning = unknown === '' ? '' : `warn: some health checks cannot be excluded: no matches for ${unknown}\n`;
  const verdict = `${report.kind} check ${report.isHealthy ? 'passed' : 'failed'}\n`;
  return { status: report.isHealthy ? 200 : 500, text: `${lines.join('')}${warning}${verdict}` };
}

/** In one line, which the reader may tell from those of other checks. */
function reasonOf(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  return message.replaceAll(/\s+/g, ' ').slice(0, MOST_TEXT);
}
