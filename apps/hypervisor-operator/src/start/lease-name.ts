import { createHash } from 'node:crypto';

/** What the Lease of an operator without a selector is called. */
const LEASE = '4c28796a.cloud.sap';

/** The name of the Lease that operators with this selector compete for; those of other shards have others. */
export function leaseName(labelSelector: string): string {
  if (labelSelector === '') return LEASE;
  const digest = createHash('sha256').update(LEASE).update(labelSelector).digest('hex');
  return `${digest}.cloud.sap`;
}
