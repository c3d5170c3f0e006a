import {
  AwaitedWrites,
  awaitWrite,
  done,
  keyOf,
  mappedSource,
  ownedSource,
  requeueAfter,
  source,
  type ControllerOptions,
  type ControllerSource,
  type ObjectKey,
  type Outcome,
} from '@smalt/controller-runtime';
import { virtualMachineInstanceKind, VirtualMachineInstancePhase, type VirtualMachineInstance } from '@smalt/vm-api';
import {
  decideInstance,
  isHandled,
  judgeLoss,
  launcherName,
  possibleNodes,
  type InstanceFacts,
} from '@smalt/vm-lifecycle';

import { areNodesAsSeen } from '../fence/are-nodes-as-seen.ts';
import { IndexName } from '../frame/index-names.ts';
import { isOvertaken } from '../frame/is-overtaken.ts';
import { problemOf } from '../frame/problem-of.ts';
import { nodeKind } from '../kinds/cluster-node.ts';
import { instanceKeyOf } from '../migration/instance-key-of.ts';
import type { VirtControllerContext } from '../virt-controller-context.ts';
import { actOnInstance, writeInstance, type InstanceActing } from './act-on-instance.ts';
import { concernsInstances } from './concerns-instances.ts';
import { instanceFacts } from './instance-facts.ts';
import { isLauncherUnseen } from './is-launcher-unseen.ts';
import { strayTargets } from './stray-targets.ts';

const CONCURRENCY = 24;

/** Gives every instance its launcher pod, moves it up to its node, and lets it go when it has ended. */
export function createInstanceController(context: VirtControllerContext): ControllerOptions {
  const { instances, pods, clock } = context;
  const acting: InstanceActing = {
    ...context,
    written: new AwaitedWrites(instances, clock),
    writtenPods: new AwaitedWrites(pods, clock),
  };
  return {
    name: 'virtual-machine-instance',
    sources: instanceSources(context),
    concurrency: CONCURRENCY,
    reconcile: (key, signal) => reconcileInstance(context, acting, key, signal),
  };
}

function instanceSources(context: VirtControllerContext): readonly ControllerSource[] {
  const { instances, machines, pods, migrations, claims, nodes, hypervisors } = context;
  const onNode = (name: string): readonly ObjectKey[] => instances.cache.byIndex(IndexName.node, name).map(keyOf);
  return [
    source(instances),
    source(machines, ({ current }) => current === undefined),
    ownedSource(pods, virtualMachineInstanceKind),
    mappedSource(migrations, ({ old, current }) => {
      const migration = current ?? old;
      return migration === undefined ? [] : [instanceKeyOf(migration)];
    }),
    mappedSource(claims, ({ key }) => instances.cache.byIndex(IndexName.claim, key).map(keyOf)),
    mappedSource(nodes, (change) => (concernsInstances(context, change) ? onNode(change.key) : [])),
    ...(hypervisors === undefined ? [] : [mappedSource(hypervisors, ({ key }) => onNode(key))]),
  ];
}

async function reconcileInstance(
  context: VirtControllerContext,
  acting: InstanceActing,
  key: ObjectKey,
  signal: AbortSignal,
): Promise<Outcome> {
  const vmi = context.instances.cache.get(key);
  if (vmi === undefined) return done;
  if (acting.written.isBehind(key) || acting.writtenPods.isBehind(podKey(vmi))) return awaitWrite;
  const facts = instanceFacts(context, vmi);
  try {
    if (!(await isLossCertain(context, facts, signal))) return awaitWrite;
    if (await isLauncherUnseen(context, facts, signal)) return awaitWrite;
    await carryOut(acting, facts, signal);
    await removeStrays(context, acting, facts, signal);
  } catch (error) {
    if (!isOvertaken(error)) throw error;
    context.ignore(error, 'somebody else was faster; it is looked at again when that is seen');
    return awaitWrite;
  }
  return nextLook(facts);
}

/** Whether an instance is not lost with its node, or the API itself says of the nodes what that was judged by. */
async function isLossCertain(
  { client, nodes: { cache } }: VirtControllerContext,
  facts: InstanceFacts,
  signal: AbortSignal,
): Promise<boolean> {
  if (judgeLoss(facts) !== 'proven') return true;
  return await areNodesAsSeen({ cache, nodes: client.resource(nodeKind) }, possibleNodes(facts.vmi), signal);
}

async function carryOut(acting: InstanceActing, facts: InstanceFacts, signal: AbortSignal): Promise<void> {
  const { actions, write } = decideInstance(facts);
  // What is to be said then is said with the pod in sight: one write instead of two.
  if (actions.some(({ kind }) => kind === 'create-pod')) return start(acting, facts, signal);
  await writeInstance(acting, facts.vmi, write, signal);
  for (const action of actions) await actOnInstance(acting, facts, action, signal);
}

/** What the decision knows nothing of: pods of migrations that are gone. */
async function removeStrays(
  { migrations }: VirtControllerContext,
  acting: InstanceActing,
  facts: InstanceFacts,
  signal: AbortSignal,
): Promise<void> {
  const isKnown = (uid: string): boolean => migrations.cache.byIndex(IndexName.uid, uid).length > 0;
  for (const action of strayTargets(facts, isKnown)) await actOnInstance(acting, facts, action, signal);
}

/** Makes the pod, or says on the instance why there is none. */
async function start(acting: InstanceActing, facts: InstanceFacts, signal: AbortSignal): Promise<void> {
  try {
    for (const action of decideInstance(facts).actions) await actOnInstance(acting, facts, action, signal);
  } catch (error) {
    const problem = problemOf(error, 'FailedCreate');
    if (problem === undefined) throw error;
    void acting.recorder.record(facts.vmi, 'Warning', problem.reason, `Error creating pod: ${problem.message}`);
    await writeInstance(acting, facts.vmi, decideInstance({ ...facts, problem }).write, signal);
    throw error;
  }
}

/** A node that falls silent makes no event: it is looked at when it would have. */
function nextLook({ vmi, nodes }: InstanceFacts): Outcome {
  const isOnItsWay = vmi.status?.phase === VirtualMachineInstancePhase.scheduling;
  const known = isOnItsWay || isHandled(vmi) ? [...nodes.values()] : [];
  const times = known.flatMap((health) => (health.kind === 'alive' ? [health.silentInMs] : []));
  return times.length === 0 ? done : requeueAfter(Math.min(...times));
}

function podKey({ metadata }: VirtualMachineInstance): ObjectKey {
  return `${metadata.namespace ?? ''}/${launcherName(metadata.name, metadata.uid ?? '')}`;
}
