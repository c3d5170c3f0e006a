import {
  AwaitedWrites,
  awaitWrite,
  done,
  mappedSource,
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

import { inTurns } from '../frame/in-turns.ts';
import { isOvertaken } from '../frame/is-overtaken.ts';
import { problemOf } from '../frame/problem-of.ts';
import { writeStatus } from '../frame/write-status.ts';
import type { VirtControllerContext } from '../virt-controller-context.ts';
import { adopt, findClaims, release, setsThatTake, type ClaimActing, type ClaimingSet } from './claim-instances.ts';
import { ExpectedInstances } from './expected-instances.ts';

const CONCURRENCY = 3;

type ReplicaSetContext = Pick<
  VirtControllerContext,
  'client' | 'replicaSets' | 'instances' | 'recorder' | 'ignore' | 'clock'
>;

interface ReplicaSetActing extends ReplicaSetContext, ClaimActing {
  readonly written: AwaitedWrites<VirtualMachineInstanceReplicaSet>;
  readonly expected: ExpectedInstances;
}

/** Keeps as many instances of each set as it is to have. Those that match it and that nobody looks after are among them. */
export function createReplicaSetController(context: ReplicaSetContext): ControllerOptions {
  const { replicaSets, instances, clock } = context;
  const acting = {
    ...context,
    written: new AwaitedWrites(replicaSets, clock),
    writtenInstances: new AwaitedWrites(instances, clock),
    expected: new ExpectedInstances(instances, clock),
  };
  return {
    name: 'virtual-machine-instance-replica-set',
    sources: [
      source(replicaSets),
      ownedSource(instances, virtualMachineInstanceReplicaSetKind),
      mappedSource(instances, ({ current }) => setsThatTake(replicaSets, current)),
    ],
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
  try {
    const claiming = await findClaims(acting, replicaSet, signal);
    return claiming === undefined ? awaitWrite : await pass(acting, claiming, signal);
  } catch (error) {
    if (!isOvertaken(error)) throw error;
    acting.ignore(error, 'somebody else was faster; it is looked at again when that is seen');
    return awaitWrite;
  }
}

async function pass(acting: ReplicaSetActing, claiming: ClaimingSet, signal: AbortSignal): Promise<Outcome> {
  const { replicaSet } = claiming;
  const facts = factsOf(acting, claiming);
  const { actions, status } = decideReplicaSet(facts);
  let reason = 'FailedAdopt';
  try {
    // How many are missing or too many is known only once all that are to be taken are.
    if (!(await claim(acting, claiming, signal))) return awaitWrite;
    reason = 'FailedCreate';
    await inTurns(actions, (action) => act(acting, replicaSet, action, signal));
  } catch (error) {
    const problem = problemOf(error, reason);
    if (problem === undefined) throw error;
    void acting.recorder.record(replicaSet, 'Warning', problem.reason, problem.message);
    const { status: troubled } = decideReplicaSet({ ...facts, problem });
    await writeStatus(acting, virtualMachineInstanceReplicaSetKind, { object: replicaSet, status: troubled }, signal);
    throw error;
  }
  await writeStatus(acting, virtualMachineInstanceReplicaSetKind, { object: replicaSet, status }, signal);
  return actions.length === 0 ? done : awaitWrite;
}

function factsOf({ expected, clock }: ReplicaSetActing, { replicaSet, claims }: ClaimingSet): ReplicaSetFacts {
  const instances = [...claims.own, ...claims.adopted.map(({ object }) => object)];
  return { replicaSet, instances: expected.merge(instances, replicaSet.metadata.uid ?? ''), now: clock.now() };
}

/** Takes and lets go of instances. Says whether all that were to be taken were there. */
async function claim(
  acting: ReplicaSetActing,
  { replicaSet, claims }: ClaimingSet,
  signal: AbortSignal,
): Promise<boolean> {
  let isComplete = true;
  await inTurns(claims.released, async (change) => {
    await release(acting, replicaSet, change, signal);
  });
  await inTurns(claims.adopted, async (change) => {
    if (!(await adopt(acting, replicaSet, change, signal))) isComplete = false;
  });
  return isComplete;
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
  const { name, uid, resourceVersion } = action;
  try {
    // One that has changed since it was judged may have been taken out of the set.
    await instances.delete(name, { namespace, uid, resourceVersion, signal });
    expected.deleted(`${namespace ?? ''}/${name}`);
    void recorder.record(replicaSet, 'Normal', 'SuccessfulDelete', `Deleted virtual machine instance ${name}`);
  } catch (error) {
    if (!isNotFound(error)) throw error;
    ignore(error, 'an instance that is gone need not be deleted');
  }
}
