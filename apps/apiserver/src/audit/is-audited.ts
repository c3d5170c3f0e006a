import type { RequestInfo } from '../http/request-info.ts';

const HEALTH = /^\/(healthz|livez|readyz)(\/|$)/;
const READING: ReadonlySet<string> = new Set(['get', 'list', 'watch']);

/** Whether a request is written down: everything is, but questions about health and the reading of leases. */
export function isAudited(info: RequestInfo): boolean {
  if (!info.isResourceRequest) return !HEALTH.test(info.path);
  const isLease = info.group === 'coordination.k8s.io' && info.plural === 'leases';
  return !(isLease && READING.has(info.verb));
}
