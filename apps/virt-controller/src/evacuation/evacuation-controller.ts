import {
  done,
  mappedSource,
  requeueAfter,
  source,
  type ControllerOptions,
  type ControllerSource,
  type Outcome,
} from '@smalt/controller-runtime';
import { isAlreadyExists, isNotFound } from '@smalt/kube';
import type { Node } from '@smalt/placement';
import {
  virtualMachineInstanceKind,
  virtualMachineInstanceMigrationKind,
  type VirtualMachineInstance,
} from '@smalt/vm-api';
import { planEvacuation, possibleNodes, type EvacuationAction } from '@smalt/vm-lifecycle';

import { IndexName } from '../frame/index-names.ts';
import { isOvertaken } from '../frame/is-overtaken.ts';
import { instanceKeyOf } from '../migration/instance-key-of.ts';
import type { VirtControllerContext } from '../virt-controller-context.ts';
import { evacuationName } from './evacuation-name.ts';

type EvacuationContext = Pick<
  VirtControllerContext,
  'client' | 'nodes' | 'instances' | 'migrations' | 'settings' | 'recorder' | 'ignore' | 'clock'
>;

/** Has the instances of a node that is drained migrated away from it. */
export function createEvacuationController(context: EvacuationContext): ControllerOptions {
  const { nodes } = context;
  return {
    name: 'evacuation',
    sources: evacuationSources(context),
    reconcile: async (key, signal) => {
      const node = nodes.cache.get(key);
      return node === undefined ? done : await evacuate(context, node, signal);
    },
  };
}

function evacuationSources(context: EvacuationContext): readonly ControllerSource[] {
  const { nodes, instances, migrations, settings } = context;
  const isDrained = (name: string): boolean =>
    nodes.cache.get(name)?.spec?.taints?.some(({ key }) => key === settings.drainTaintKey) === true;
  // Instances of other nodes change all the time, and none of that concerns an evacuation.
  const nodesToLeave = (instance: VirtualMachineInstance): readonly string[] => {
    const told = instance.status?.evacuationNodeName ?? '';
    return [...possibleNodes(instance).filter(isDrained), ...(told === '' ? [] : [told])];
  };
  return [
    source(nodes, ({ old, current }) => old?.spec !== current?.spec),
    mappedSource(instances, ({ current }) => (current === undefined ? [] : nodesToLeave(current))),
    mappedSource(migrations, ({ old, current }) => {
      const migration = current ?? old;
      const instance = migration === undefined ? undefined : instances.cache.get(instanceKeyOf(migration));
      return instance === undefined ? [] : nodesToLeave(instance);
    }),
  ];
}

async function evacuate(context: EvacuationContext, node: Node, signal: AbortSignal): Promise<Outcome> {
  const { instances, migrations, settings, recorder, clock } = context;
  const here = instances.cache.byIndex(IndexName.node, node.metadata.name);
  const plan = planEvacuation({
    node,
    instances: here,
    migrations: here.flatMap(({ metadata }) =>
      migrations.cache.byIndex(IndexName.instanceKey, `${metadata.namespace ?? ''}/${metadata.name}`),
    ),
    drainTaintKey: settings.drainTaintKey,
    now: clock.now(),
  });
  for (const { namespace, name, message } of plan.stuck) {
    const instance = instances.cache.get(`${namespace ?? ''}/${name}`);
    if (instance !== undefined) void recorder.record(instance, 'Warning', 'FailedEvacuation', message);
  }
  for (const action of plan.actions) await act(context, node, action, signal);
  return plan.requeueAfterMs === undefined ? done : requeueAfter(plan.requeueAfterMs);
}

async function act(
  context: EvacuationContext,
  node: Node,
  action: EvacuationAction,
  signal: AbortSignal,
): Promise<void> {
  try {
    if (action.kind === 'create-migration') await create(context, action, signal);
    else await clear(context, node, action, signal);
  } catch (error) {
    if (!isOvertaken(error) && !isNotFound(error) && !isAlreadyExists(error)) throw error;
    context.ignore(error, 'an evacuation that was asked for already, or is not needed any more');
  }
}

async function create(
  { client, instances, migrations, recorder }: EvacuationContext,
  { migration }: Extract<EvacuationAction, { kind: 'create-migration' }>,
  signal: AbortSignal,
): Promise<void> {
  const key = instanceKeyOf(migration);
  const instance = instances.cache.get(key);
  if (instance === undefined) return;
  const name = evacuationName(instance, migrations.cache.byIndex(IndexName.instanceKey, key));
  const { generateName: _generated, ...metadata } = migration.metadata;
  const draft = { ...migration, metadata: { ...metadata, name } };
  await client.resource(virtualMachineInstanceMigrationKind).create(draft, { signal });
  void recorder.record(instance, 'Normal', 'SuccessfulCreate', `Created Migration ${name}`);
}

async function clear(
  { client }: EvacuationContext,
  node: Node,
  { namespace, name }: Extract<EvacuationAction, { kind: 'clear-evacuation' }>,
  signal: AbortSignal,
): Promise<void> {
  const patch = [
    { op: 'test', path: '/status/evacuationNodeName', value: node.metadata.name },
    { op: 'remove', path: '/status/evacuationNodeName' },
  ];
  await client.resource(virtualMachineInstanceKind).patch(name, 'json', patch, { namespace, signal });
}
