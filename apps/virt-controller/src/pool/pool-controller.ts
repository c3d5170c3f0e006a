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
  type Outcome,
} from '@smalt/controller-runtime';
import {
  virtualMachinePoolKind,
  type VirtualMachine,
  type VirtualMachineInstance,
  type VirtualMachinePool,
} from '@smalt/vm-api';
import { decidePool, releaseMachines, type OwnerChange, type PoolFacts } from '@smalt/vm-lifecycle';

import { controllerOf, isControlledBy } from '../frame/controller-of.ts';
import { IndexName } from '../frame/index-names.ts';
import { inTurns } from '../frame/in-turns.ts';
import { isOvertaken } from '../frame/is-overtaken.ts';
import { problemOf } from '../frame/problem-of.ts';
import { writeStatus } from '../frame/write-status.ts';
import { claimKeys } from '../instance/claim-names.ts';
import type { VirtControllerContext } from '../virt-controller-context.ts';
import { actOnPool, releaseMachine, type PoolActing } from './act-on-pool.ts';
import { AwaitedChanges } from './awaited-changes.ts';

const CONCURRENCY = 3;

type PoolContext = Pick<
  VirtControllerContext,
  'client' | 'machines' | 'instances' | 'claims' | 'recorder' | 'ignore' | 'clock' | 'random'
> & {
  readonly pools: NonNullable<VirtControllerContext['pools']>;
};

interface PoolController extends PoolContext, PoolActing {
  readonly written: AwaitedWrites<VirtualMachinePool>;
}

/** Keeps as many machines of each pool as it is to have, and brings them up to its template. */
export function createPoolController(context: PoolContext): ControllerOptions {
  const { pools, machines, instances, claims, clock } = context;
  const acting = {
    ...context,
    written: new AwaitedWrites(pools, clock),
    writtenMachines: new AwaitedWrites(machines, clock),
    writtenClaims: new AwaitedWrites(claims, clock),
    changedMachines: new AwaitedChanges(machines, clock),
    changedInstances: new AwaitedChanges(instances, clock),
  };
  return {
    name: 'virtual-machine-pool',
    sources: [
      source(pools),
      ownedSource(machines, virtualMachinePoolKind),
      // Whether an instance is ready, and of which template it is, decides how many others may be restarted.
      mappedSource(instances, ({ key }) => poolsOf(machines.cache.get(key))),
      mappedSource(claims, ({ key }) => machines.cache.byIndex(IndexName.claim, key).flatMap(poolsOf)),
    ],
    concurrency: CONCURRENCY,
    reconcile: async (key, signal) => {
      const pool = pools.cache.get(key);
      if (pool === undefined) return done;
      const isSeen =
        !acting.written.isBehind(key) && acting.changedMachines.isSeen(key) && acting.changedInstances.isSeen(key);
      return isSeen ? await carryOut(acting, pool, signal) : awaitWrite;
    },
  };
}

function poolsOf(machine: VirtualMachine | undefined): readonly string[] {
  const owner = machine === undefined ? undefined : controllerOf(machine);
  const { group, kind } = virtualMachinePoolKind;
  const isOfPool = owner?.kind === kind && owner.apiVersion.startsWith(`${group}/`);
  return isOfPool ? [`${machine?.metadata.namespace ?? ''}/${owner.name}`] : [];
}

async function carryOut(acting: PoolController, pool: VirtualMachinePool, signal: AbortSignal): Promise<Outcome> {
  const { machines, instances, claims, clock, random, ignore } = acting;
  const { namespace = '', uid = '' } = pool.metadata;
  const known = machines.cache.byIndex(IndexName.owner, uid);
  if (known.some((machine) => acting.writtenMachines.isBehind(keyOf(machine)))) return awaitWrite;
  const { own, released } = releaseMachines(pool, known);
  if (own.flatMap(claimKeysOf).some((key) => acting.writtenClaims.isBehind(key))) return awaitWrite;
  const facts = {
    pool,
    machines: own,
    isTaken: (name: string) => machines.cache.get(`${namespace}/${name}`) !== undefined,
    instanceOf: (machine: VirtualMachine) => instanceOf(instances.cache.get(keyOf(machine)), machine),
    claimsOf: (machine: VirtualMachine) => claimKeysOf(machine).flatMap((key) => claims.cache.get(key) ?? []),
    now: clock.now(),
    random,
  };
  try {
    return await pass(acting, { facts, released }, signal);
  } catch (error) {
    if (!isOvertaken(error)) throw error;
    ignore(error, 'somebody else was faster; it is looked at again when that is seen');
    return awaitWrite;
  }
}

function claimKeysOf({ metadata, spec }: VirtualMachine): readonly string[] {
  return claimKeys(metadata.namespace, spec.template.spec?.volumes);
}

function instanceOf(
  instance: VirtualMachineInstance | undefined,
  machine: VirtualMachine,
): VirtualMachineInstance | undefined {
  return instance !== undefined && isControlledBy(instance, machine) ? instance : undefined;
}

interface PoolPass {
  readonly facts: PoolFacts;
  readonly released: readonly OwnerChange<VirtualMachine>[];
}

async function pass(acting: PoolController, { facts, released }: PoolPass, signal: AbortSignal): Promise<Outcome> {
  const { pool } = facts;
  const { actions, status, againInMs } = decidePool(facts);
  try {
    await inTurns(released, (change) => releaseMachine(acting, pool, change, signal));
    await inTurns(actions, (action) => actOnPool(acting, pool, action, signal));
  } catch (error) {
    const problem = problemOf(error, 'FailedCreate');
    if (problem === undefined) throw error;
    void acting.recorder.record(pool, 'Warning', problem.reason, problem.message);
    const { status: troubled } = decidePool({ ...facts, problem });
    await writeStatus(acting, virtualMachinePoolKind, { object: pool, status: troubled }, signal);
    throw error;
  }
  await writeStatus(acting, virtualMachinePoolKind, { object: pool, status }, signal);
  if (actions.length > 0) return awaitWrite;
  return againInMs === undefined ? done : requeueAfter(againInMs);
}
