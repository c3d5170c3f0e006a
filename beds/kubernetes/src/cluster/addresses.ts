/** What pods have their addresses from, and each node a part of. */
export const POD_RANGE = '10.244.0.0/16';
/** Within the range of Services that the API server was told. */
export const DNS_ADDRESS = '10.96.0.10';
export const CLUSTER_DOMAIN = 'cluster.local';

/** The part of a node, by its number from 1 on. */
export function podRange(number: number): string {
  return `10.244.${number}.0/24`;
}
