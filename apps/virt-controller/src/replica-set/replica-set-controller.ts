import {
  AwaitedWrites,
  awaitWrite,
  done,
  ownedSource,
  source,
  type ControllerOptions,
  type Outcome,
} from '@smalt/controller-runtime';
import { isNotFound } from '@smalt/kube';
import {
  virtualMachineInstanceKind,
  virtualMachineInstanceReplicaSetKind,
  type VirtualMachineInstanceReplicaSet,
} from '@smalt/vm-api';
import { decideReplicaSet, type ReplicaSetAction, type ReplicaSetFacts } from '@smalt/vm-lifecycle';

import { IndexName } from '../frame/index-names.ts';
import { isOvertaken } from '../frame/is-overtaken.ts';
import { problemOf } from '../frame/problem-of.ts';
import { settleAll } from '../frame/settle-all.ts';
import { writeStatus } from '../frame/write-status.ts';
import type { VirtControllerContext } from '../virt-controller-context.ts';
import { ExpectedInstances } from './expected-instances.ts';

const CONCURRENCY = 3;
/** How many instances of one set are asked for at a time. */
const AT_ONCE = 16;

type ReplicaSetContext = Pick<
  VirtControllerContext,
  'client' | 'replicaSets' | 'instances' | 'recorder' | 'ignore' | 'clock'
>;

interface ReplicaSetActing extends ReplicaSetContext {
  readonly written: AwaitedWrites<VirtualMachineInstanceReplicaSet>;
  readonly expected: ExpectedInstances;
}

/** Keeps as many instances of each set as it is to have. */
export function createReplicaSetController(context: ReplicaSetContext): ControllerOptions {
  const { replicaSets, instances, clock } = context;
  const acting = {
    ...context,
    written: new AwaitedWrites(replicaSets, clock),
    expected: new ExpectedInstances(instances, clock),
  };
  return {
    name: 'virtual-machine-instance-replica-set',
    sources: [source(replicaSets), ownedSource(instances, virtualMachineInstanceReplicaSetKind)],
    concurrency: CONCURRENCY,
    reconcile: async (key, signal) => {
      const replicaSet = replicaSets.cache.get(key);
      if (replicaSet === undefined) return done;
      return acting.written.isBehind(key) ? awaitWrite : await carryOut(acting, replicaSet, signal);
    },
  };
}

async function carryOut(
  acting: ReplicaSetActing,
  replicaSet: VirtualMachineInstanceReplicaSet,
  signal: AbortSignal,
): Promise<Outcome> {
  const { instances, expected, clock, ignore } = acting;
  const uid = replicaSet.metadata.uid ?? '';
  const known = instances.cache.byIndex(IndexName.owner, uid);
  const facts = { replicaSet, instances: expected.merge(known, uid), now: clock.now() };
  try {
    return await pass(acting, facts, signal);
  } catch (error) {
    if (!isOvertaken(error)) throw error;
    ignore(error, 'somebody else was faster; it is looked at again when that is seen');
    return awaitWrite;
  }
}

async function pass(acting: ReplicaSetActing, facts: ReplicaSetFacts, signal: AbortSignal): Promise<Outcome> {
  const { replicaSet } = facts;
  const { actions, status } = decideReplicaSet(facts);
  try {
    for (let index = 0; index < actions.length; index += AT_ONCE) {
      const some = actions.slice(index, index + AT_ONCE);
      await settleAll(some.map((action) => act(acting, replicaSet, action, signal)));
    }
  } catch (error) {
    const problem = problemOf(error, 'FailedCreate');
    if (problem === undefined) throw error;
    void acting.recorder.record(replicaSet, 'Warning', problem.reason, problem.message);
    const { status: troubled } = decideReplicaSet({ ...facts, problem });
    await writeStatus(acting, virtualMachineInstanceReplicaSetKind, { object: replicaSet, status: troubled }, signal);
    throw error;
  }
  await writeStatus(acting, virtualMachineInstanceReplicaSetKind, { object: replicaSet, status }, signal);
  return actions.length === 0 ? done : awaitWrite;
}

async function act(
  { client, expected, recorder, ignore }: ReplicaSetActing,
  replicaSet: VirtualMachineInstanceReplicaSet,
  action: ReplicaSetAction,
  signal: AbortSignal,
): Promise<void> {
  const instances = client.resource(virtualMachineInstanceKind);
  const { namespace } = replicaSet.metadata;
  if (action.kind === 'create-instance') {
    const made = await instances.create(action.instance, { signal });
    expected.made(made);
    const message = `Created virtual machine instance ${made.metadata.name}`;
    void recorder.record(replicaSet, 'Normal', 'SuccessfulCreate', message);
    return;
  }
  const { name, uid } = action;
  try {
    await instances.delete(name, { namespace, uid, signal });
    expected.deleted(`${namespace ?? ''}/${name}`);
    void recorder.record(replicaSet, 'Normal', 'SuccessfulDelete', `Deleted virtual machine instance ${name}`);
  } catch (error) {
    if (!isNotFound(error)) throw error;
    ignore(error, 'an instance that is gone need not be deleted');
  }
}
