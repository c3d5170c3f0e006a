import { field } from './field.ts';
import type { Cloud } from './start-cloud.ts';

/** A group of hosts in Nova. */
export interface Aggregate {
  readonly name: string;
  /** The availability zone that it makes of its hosts, if any. */
  readonly zone?: string | undefined;
}

/** Makes the aggregates that Nova does not have yet; nobody else does. Who is in them is up to others. */
export async function ensureAggregates(
  { client, endpoints }: Pick<Cloud, 'client' | 'endpoints'>,
  wanted: readonly Aggregate[],
): Promise<void> {
  const url = `${endpoints.compute}/os-aggregates`;
  const listed = field(await client.request(url), 'aggregates');
  const names = Array.isArray(listed) ? listed.map((each: unknown) => field(each, 'name')) : [];
  for (const { name, zone } of wanted) {
    if (names.includes(name)) continue;
    const aggregate = { name, ...(zone !== undefined && { availability_zone: zone }) };
    await client.request(url, { method: 'POST', body: { aggregate } });
  }
}
