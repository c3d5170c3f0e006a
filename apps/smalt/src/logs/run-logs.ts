import { isKubeError, isNotFound, type KubeClient } from '@smalt/kube';
import type { KindReference, KubernetesObject } from '@smalt/kubernetes';
import { messageOf } from '@smalt/service-runtime';
import { NODE_LOG_UNITS, virtualMachineInstanceKind, type NodeLogUnit } from '@smalt/vm-api';

import type { ClusterFlags } from '../output/command-flags.ts';
import type { CommandProgram } from '../output/command-program.ts';
import { paintFor } from '../output/live-screen.ts';
import { openCluster } from '../output/open-cluster.ts';
import { printableText } from '../printable-text.ts';
import { SmaltError } from '../smalt-error.ts';
import { readTelemetry, refusalIn, type TelemetryRequest } from '../telemetry/read-telemetry.ts';
import { logLineText, readLogLines } from './log-line-text.ts';

export interface LogsFlags extends ClusterFlags {
  readonly follow?: boolean;
  readonly lines: number;
  readonly unit?: NodeLogUnit;
  readonly host?: boolean;
}

type LogTarget =
  | { readonly kind: 'machine'; readonly namespace: string; readonly name: string }
  | { readonly kind: 'host'; readonly name: string };

const nodeKind: KindReference = { group: '', version: 'v1', kind: 'Node', plural: 'nodes', isNamespaced: false };

/** Prints the log of a machine or of a host, and follows it where that was asked for. */
export async function runLogs(program: CommandProgram, name: string, flags: LogsFlags): Promise<void> {
  await using cluster = await openCluster(program, flags);
  const { client, namespace } = cluster;
  const target = await findTarget(client, { namespace, name, flags }, program.signal);
  const requests = requestsFor(target, flags);
  const ends = await Promise.allSettled(requests.map((request) => print(program, client, request)));
  const failures = ends.flatMap((end) => (end.status === 'rejected' ? [end.reason] : []));
  // A host need not have all its logs: no Open vSwitch, no log of it.
  const missing = failures.filter((error) => refusalIn(error)?.status === 404);
  if (
    failures.length === 0 ||
    (flags.unit === undefined && failures.length < ends.length && missing.length === failures.length)
  )
    return;
  throw explain(failures.find((error) => !missing.includes(error)) ?? failures[0], target);
}

interface Wanted {
  readonly namespace: string;
  readonly name: string;
  readonly flags: LogsFlags;
}

/** A machine of that name, else a host: unless it is said that a host is meant. */
async function findTarget(
  client: KubeClient,
  { namespace, name, flags }: Wanted,
  signal: AbortSignal,
): Promise<LogTarget> {
  const isHost = flags.host === true || flags.unit !== undefined;
  if (!isHost && (await isThere(client, virtualMachineInstanceKind, { namespace, name, signal }))) {
    return { kind: 'machine', namespace, name };
  }
  if (isHost || (await isThere(client, nodeKind, { name, signal }))) return { kind: 'host', name };
  const next = 'kubectl get vmis -A and kubectl get nodes show those that there are; a machine that is off has no log';
  throw new SmaltError(
    'not-found',
    `there is neither a machine ${name} that runs in ${namespace} nor a host ${name}: ${next}`,
  );
}

async function isThere<T extends KubernetesObject>(
  client: KubeClient,
  kind: KindReference<T>,
  { namespace, name, signal }: { readonly namespace?: string; readonly name: string; readonly signal: AbortSignal },
): Promise<boolean> {
  try {
    await client.resource(kind).get(name, { namespace, signal });
    return true;
  } catch (error) {
    // Who may not see hosts may still see machines, and the other way round.
    if (isNotFound(error) || isKubeError(error, 'forbidden')) return false;
    throw error;
  }
}

function requestsFor(target: LogTarget, { follow = false, lines, unit }: LogsFlags): readonly TelemetryRequest[] {
  const query = { lines: String(lines), follow: String(follow) };
  if (target.kind === 'machine') {
    return [{ path: ['namespaces', target.namespace, 'virtualmachineinstances', target.name, 'logs'], query }];
  }
  const units = unit === undefined ? NODE_LOG_UNITS : [unit];
  return units.map((each) => ({ path: ['nodes', target.name, 'logs'], query: { ...query, unit: each } }));
}

async function print(program: CommandProgram, client: KubeClient, request: TelemetryRequest): Promise<void> {
  const paint = paintFor(program);
  for await (const message of readTelemetry(client, request, program.signal)) {
    const text = readLogLines(message).map((line) => logLineText(line, paint));
    await program.output.write(text.join(''));
  }
}

function explain(error: unknown, target: LogTarget): unknown {
  const what =
    target.kind === 'host' ? `the log of ${target.name}` : `the log of ${target.name} in ${target.namespace}`;
  const refused = refusalIn(error);
  const said = printableText(refused?.message ?? messageOf(error));
  if (refused?.status === 404) return new SmaltError('not-found', `${what} is not there: ${said}`, { cause: error });
  if (refused?.status === 403) {
    const role = target.kind === 'host' ? 'kubevirt.io:nodes' : 'kubevirt.io:view';
    return new SmaltError('refused', `${what}: ${said}\nask for the role ${role}`, { cause: error });
  }
  return new SmaltError('no-stream', `${what} cannot be read: ${said}`, { cause: error });
}
