import { isNotFound, type KubeClient } from '@smalt/kube';
import {
  virtualMachineInstanceKind,
  virtualMachineInstanceMigrationKind,
  type MigrationUsage,
  type VirtualMachineInstance,
  type VirtualMachineInstanceMigration,
} from '@smalt/vm-api';
import { isJsonObject } from '@smalt/json';
import type { KindReference } from '@smalt/kubernetes';

import type { ClusterFlags } from '../output/command-flags.ts';
import type { CommandProgram } from '../output/command-program.ts';
import { LiveScreen } from '../output/live-screen.ts';
import { openCluster } from '../output/open-cluster.ts';
import { watchObject } from '../output/watch-objects.ts';
import { withDeadline } from '../output/with-deadline.ts';
import { printableText } from '../printable-text.ts';
import { SmaltError } from '../smalt-error.ts';
import { latestOf } from '../telemetry/latest-of.ts';
import { readTelemetry } from '../telemetry/read-telemetry.ts';
import { readMigration } from '../telemetry/read-usage.ts';
import { decideMigration } from './decide-migration.ts';
import { explainMachineError, type MachineName } from './explain-machine.ts';
import { migrationText } from './migration-text.ts';

export interface MigrateFlags extends ClusterFlags {
  readonly to?: string;
  readonly wait?: boolean;
  readonly timeout: number;
}

const nodeKind: KindReference = { group: '', version: 'v1', kind: 'Node', plural: 'nodes', isNamespaced: false };
const HOSTNAME_LABEL = 'kubernetes.io/hostname';

/** Moves a machine that runs to another host, and shows how far it is where that was asked for. */
export async function runMigrate(program: CommandProgram, name: string, flags: MigrateFlags): Promise<void> {
  await using cluster = await openCluster(program, flags);
  const { client, namespace } = cluster;
  const { signal } = program;
  const instance = await requireInstance(client, { namespace, name }, signal);
  const addedNodeSelector = flags.to === undefined ? undefined : await selectorOf(client, flags.to, instance, signal);
  const migrations = client.resource(virtualMachineInstanceMigrationKind);
  const spec = { vmiName: name, ...(addedNodeSelector === undefined ? {} : { addedNodeSelector }) };
  const draft = { metadata: { namespace, generateName: `${name}-` }, spec };
  const { metadata } = await migrations.create(draft, { signal }).catch((error: unknown) => {
    throw explainMachineError(error, 'machine', { namespace, name });
  });
  if (flags.wait !== true) {
    const text = `${name} is being moved: kubectl -n ${namespace} get vmim ${metadata.name} -w shows how far it is`;
    return await program.output.write(`${text}\n`);
  }
  const way = { key: { namespace, name }, migration: metadata.name, timeoutMs: flags.timeout };
  await program.output.write(`${name} ${await untilMoved(program, client, way)}\n`);
}

async function requireInstance(
  client: KubeClient,
  key: MachineName,
  signal: AbortSignal,
): Promise<VirtualMachineInstance> {
  try {
    return await client.resource(virtualMachineInstanceKind).get(key.name, { namespace: key.namespace, signal });
  } catch (error) {
    throw explainMachineError(error, 'running machine', key);
  }
}

/** The label by which a host is chosen; throws where there is no such host, or the machine is there already. */
async function selectorOf(
  client: KubeClient,
  host: string,
  { metadata, status }: VirtualMachineInstance,
  signal: AbortSignal,
): Promise<Readonly<Record<string, string>>> {
  if (status?.nodeName === host) {
    throw new SmaltError('refused', `${metadata.name} is on ${host} already: give another host with --to`);
  }
  try {
    const node = await client.resource(nodeKind).get(host, { signal });
    return { [HOSTNAME_LABEL]: node.metadata.labels?.[HOSTNAME_LABEL] ?? host };
  } catch (error) {
    if (!isNotFound(error)) throw error;
    throw new SmaltError('not-found', `--to: there is no host ${host}: kubectl get nodes shows those that there are`, {
      cause: error,
    });
  }
}

interface AwaitedMove {
  readonly key: MachineName;
  /** The name of the migration. */
  readonly migration: string;
  readonly timeoutMs: number;
}

async function untilMoved(program: CommandProgram, client: KubeClient, move: AwaitedMove): Promise<string> {
  const { key, timeoutMs } = move;
  let last = 'nothing is known of its move yet';
  const what = (): string => `${key.name} in ${key.namespace} is still on its way: ${last}; --timeout gives it longer`;
  await using screen = new LiveScreen(program.output);
  return await withDeadline({ timeoutMs, signal: program.signal, what }, async (signal) => {
    for await (const { migration, usage } of followMove(client, move, signal)) {
      const step = decideMigration(migration);
      last = step.text;
      if (step.kind === 'done') return step.text;
      if (step.kind === 'failed') {
        throw new SmaltError('failed', `${key.name} in ${key.namespace} stays where it is: ${step.text}`);
      }
      const shown = step.kind === 'moving' && usage !== undefined ? `${step.text}  ${migrationText(usage)}` : step.text;
      await screen.draw([`${key.name}  ${printableText(shown)}`]);
    }
    throw new SmaltError('failed', `the migration ${move.migration} was removed before it was over`);
  });
}

interface SeenMove {
  readonly migration: VirtualMachineInstanceMigration | undefined;
  readonly usage: MigrationUsage | undefined;
}

async function* followMove(
  client: KubeClient,
  { key, migration }: AwaitedMove,
  signal: AbortSignal,
): AsyncGenerator<{ readonly migration: VirtualMachineInstanceMigration; readonly usage: MigrationUsage | undefined }> {
  const enough = new AbortController();
  const until = AbortSignal.any([signal, enough.signal]);
  const place = { namespace: key.namespace, name: migration };
  try {
    const flows = {
      migration: watchObject(client.resource(virtualMachineInstanceMigrationKind), place, until),
      usage: usageOf(client, key, until),
    };
    let wasThere = false;
    for await (const seen of latestOf<SeenMove>(flows)) {
      if (wasThere && seen.migration === undefined) return;
      if (seen.migration === undefined) continue;
      wasThere = true;
      yield { migration: seen.migration, usage: seen.usage };
    }
  } finally {
    enough.abort();
  }
}

/** How far the memory is. It only adorns: who may not see it, or sees it end, sees the phases. */
async function* usageOf(
  client: KubeClient,
  { namespace, name }: MachineName,
  signal: AbortSignal,
): AsyncGenerator<MigrationUsage | undefined, void> {
  const path = ['namespaces', namespace, 'virtualmachineinstances', name, 'usage'];
  try {
    for await (const message of readTelemetry(client, { path }, signal)) {
      const { migration } = message;
      yield isJsonObject(migration) ? readMigration(migration) : undefined;
    }
  } catch {
    // Refused, or lost with the host that told it: the migration itself says how it ends.
    yield undefined;
  }
}
