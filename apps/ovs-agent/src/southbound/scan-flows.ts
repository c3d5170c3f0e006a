import type { Clock } from '@smalt/controller-runtime';
import { openOvsdb, type OpenFlowConnection, type OvsdbTarget, type TlsFiles } from '@smalt/ovs';
import type { Ignore } from '@smalt/service-runtime';
import type { StaleFlowFacts } from '@smalt/switch-health';

import { ovsClock } from '../observe/ovs-clock.ts';
import { FlowCensus, missingPorts, removeExplained } from './flow-census.ts';
import { COOKIE_TABLES } from './southbound-tables.ts';

/** More than this is not read at once: half a million rows. */
const MOST_BYTES = 32 * 1_024 * 1_024;
const ANSWER_MS = 20_000;
/** ovs-vswitchd has nothing else to do for us so much longer than a table took. */
const REST_PER_WORK = 10;

interface SouthboundPlace {
  readonly target: OvsdbTarget;
  readonly tls: TlsFiles | undefined;
}

export interface ScanOptions {
  readonly openFlow: (signal: AbortSignal) => Promise<OpenFlowConnection>;
  /** The tables that have flows. */
  readonly tables: readonly number[];
  /** The numbers of the ports that the bridge has. */
  readonly ports: ReadonlySet<number>;
  /** Undefined where it cannot be read now. */
  readonly southbound: SouthboundPlace | undefined;
  readonly clock: Clock;
  readonly ignore: Ignore;
}

/**
 * Compares the flows of the integration bridge with the rows of the southbound database. Flows are read table by table,
 * with pauses, and only counted; so memory does not grow with them, and ovs-vswitchd is never busy for long.
 */
export async function scanFlows(options: ScanOptions, signal: AbortSignal): Promise<StaleFlowFacts> {
  const census = await takeCensus(options, signal);
  return {
    scanned: census.flows,
    unexplained: await readUnexplained(census.cookies, options, signal),
    missingPorts: missingPorts(census.ports, options.ports),
  };
}

async function takeCensus({ openFlow, tables, clock }: ScanOptions, signal: AbortSignal): Promise<FlowCensus> {
  const census = new FlowCensus();
  await using connection = await openFlow(signal);
  for (const table of tables) {
    const startedAt = clock.monotonic();
    for await (const flow of connection.flows({ table }, { signal })) census.add(flow);
    await clock.wait((clock.monotonic() - startedAt) * REST_PER_WORK, signal);
  }
  return census;
}

/** The cookies without a row; undefined where the database could not be read. */
async function readUnexplained(
  cookies: Map<bigint, number>,
  { southbound, clock, ignore }: ScanOptions,
  signal: AbortSignal,
): Promise<ReadonlyMap<bigint, number> | undefined> {
  if (southbound === undefined) return undefined;
  try {
    if (cookies.size > 0) await explain(cookies, { ...southbound, clock }, signal);
    return cookies;
  } catch (error) {
    signal.throwIfAborted();
    ignore(error, 'the cookies of flows could not be compared, which the facts say');
    return undefined;
  }
}

/** A session of its own: an answer that is too large must not end the one that watches. */
async function explain(
  cookies: Map<bigint, number>,
  { target, tls, clock }: SouthboundPlace & Pick<ScanOptions, 'clock'>,
  signal: AbortSignal,
): Promise<void> {
  await using database = openOvsdb({
    target,
    database: 'OVN_Southbound',
    tables: {},
    ...(tls !== undefined && { tls }),
    requestTimeoutMs: ANSWER_MS,
    maxMessageBytes: MOST_BYTES,
    clock: ovsClock(clock),
  });
  await database.synchronized(AbortSignal.any([signal, AbortSignal.timeout(ANSWER_MS)]));
  for (const table of COOKIE_TABLES) {
    if (cookies.size === 0) return;
    if (database.schema?.tables.has(table) !== true) continue;
    const rows = await database.select({ table, columns: {} }, { signal, timeoutMs: ANSWER_MS });
    removeExplained(
      cookies,
      rows.map(({ _uuid }) => _uuid),
    );
  }
}
