import type { HealthReport } from './health-registry.ts';

export interface HealthAnswer {
  readonly status: 200 | 500;
  readonly text: string;
}

/**
 * A report as Kubernetes answers it: `ok`, or a line per check when asked for or when something failed. Why a check
 * failed is not said, because anyone may ask; it belongs into the log.
 */
export function renderHealth(report: HealthReport, isVerbose: boolean): HealthAnswer {
  if (report.isHealthy && !isVerbose) return { status: 200, text: 'ok' };
  const lines = report.results.map(({ name, isExcluded, error }) => {
    if (isExcluded) return `[+]${name} excluded: ok\n`;
    return error === undefined ? `[+]${name} ok\n` : `[-]${name} failed: reason withheld\n`;
  });
  const unknown = report.unknownExclusions.map((name) => `"${name}"`).join(', ');
  const warning = unknown === '' ? '' : `warn: some health checks cannot be excluded: no matches for ${unknown}\n`;
  const verdict = `${report.kind} check ${report.isHealthy ? 'passed' : 'failed'}\n`;
  return { status: report.isHealthy ? 200 : 500, text: `${lines.join('')}${warning}${verdict}` };
}
