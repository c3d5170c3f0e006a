import {
  RunStrategy,
  VirtualMachineInstanceConditionType,
  VirtualMachineInstancePhase,
  WellKnownName,
  type VirtualMachine,
  type VirtualMachineInstance,
  type VirtualMachinePool,
  type VirtualMachineSpec,
} from '@smalt/vm-api';

import { hasCondition } from '../conditions/conditions.ts';
import { asJudged, type Judged } from '../judged/as-judged.ts';
import { runStrategyOf } from '../virtual-machine/run-strategy.ts';
import type { PoolFacts } from './pool-facts.ts';
import { orderMachines, selectMachines } from './order-machines.ts';
import { poolIndex, poolMachineSpec, poolMarks, poolMetadata, type PoolMarks } from './pool-machine.ts';

export type PoolUpdate =
  | { readonly kind: 'update-machine'; readonly old: VirtualMachine; readonly machine: VirtualMachine }
  /** Its machine makes another one, of the new template. */
  | ({ readonly kind: 'restart-instance' } & Judged)
  /** Its volumes have changed, so it is made anew. */
  | ({ readonly kind: 'replace-machine' } & Judged);

/** What brings the machines of a pool up to its template: first they themselves, then what runs of them, not too many at a time. */
export function planPoolUpdate(facts: PoolFacts, living: readonly VirtualMachine[]): readonly PoolUpdate[] {
  const { pool } = facts;
  const { updateStrategy: strategy } = pool.spec;
  if (strategy?.unmanaged !== undefined) return [];
  const marks = poolMarks(pool);
  const chosen = selectMachines(living, strategy?.proactive?.selectionPolicy);
  const isBehind = ({ metadata }: VirtualMachine): boolean =>
    metadata.annotations?.[WellKnownName.poolTemplateAnnotation] !== marks.template;
  const changes = chosen.filter(isBehind).flatMap((machine) => renewal(pool, machine));
  if (changes.length > 0 || strategy?.opportunistic !== undefined) return changes;
  return restarts(facts, { living, chosen }, marks);
}

function renewal(pool: VirtualMachinePool, old: VirtualMachine): readonly PoolUpdate[] {
  const index = poolIndex(old);
  if (index === undefined) return [];
  const machine = {
    ...old,
    metadata: { ...old.metadata, ...poolMetadata(pool) },
    spec: withIdentity(poolMachineSpec(pool, index), old.spec),
  };
  return [{ kind: 'update-machine', old, machine }];
}

/** The new spec with what a guest knows itself by: that was made for this machine and never changes. */
function withIdentity(spec: VirtualMachineSpec, { template: old }: VirtualMachineSpec): VirtualMachineSpec {
  const { firmware } = old.spec?.domain ?? {};
  const seed = old.metadata?.annotations?.[WellKnownName.macSeedAnnotation];
  const { template } = spec;
  return {
    ...spec,
    template: {
      ...template,
      metadata: {
        ...template.metadata,
        annotations: {
          ...template.metadata?.annotations,
          ...(seed === undefined ? {} : { [WellKnownName.macSeedAnnotation]: seed }),
        },
      },
      ...(template.spec === undefined || (firmware?.uuid === undefined && firmware?.serial === undefined)
        ? {}
        : {
            spec: {
              ...template.spec,
              domain: {
                ...template.spec.domain,
                firmware: {
                  ...template.spec.domain.firmware,
                  ...(firmware.uuid === undefined ? {} : { uuid: firmware.uuid }),
                  ...(firmware.serial === undefined ? {} : { serial: firmware.serial }),
                },
              },
            },
          }),
    },
  };
}

interface PoolMachines {
  readonly living: readonly VirtualMachine[];
  /** Those of them that may be restarted. */
  readonly chosen: readonly VirtualMachine[];
}

/** Those that serve nobody are restarted at once; of the others as many as may be down. */
function restarts(facts: PoolFacts, { living, chosen }: PoolMachines, marks: PoolMarks): readonly PoolUpdate[] {
  const { pool, instanceOf, random } = facts;
  const policy = pool.spec.updateStrategy?.proactive?.selectionPolicy;
  const unavailable = living.filter((machine) => isDown(machine, instanceOf(machine))).length;
  const outdated = orderMachines(chosen, policy, random).flatMap((machine) => {
    const instance = instanceOf(machine);
    const update = instance === undefined ? undefined : updateOf(machine, instance, marks);
    return update === undefined || instance === undefined ? [] : [{ update, isServing: isServing(instance) }];
  });
  const room = Math.max(0, mostUnavailable(pool) - unavailable);
  return [
    ...outdated.filter((each) => !each.isServing),
    ...outdated.filter((each) => each.isServing).slice(0, room),
  ].map(({ update }) => update);
}

function updateOf(machine: VirtualMachine, instance: VirtualMachineInstance, marks: PoolMarks): PoolUpdate | undefined {
  const { annotations = {}, deletionTimestamp } = instance.metadata;
  if (deletionTimestamp !== undefined) return undefined;
  const volumes = annotations[WellKnownName.poolVolumesAnnotation];
  if (volumes !== undefined && volumes !== marks.volumes) {
    return { kind: 'replace-machine', ...asJudged(machine.metadata) };
  }
  if (annotations[WellKnownName.poolInstanceAnnotation] === marks.instance) return undefined;
  return { kind: 'restart-instance', ...asJudged(instance.metadata) };
}

/** One that somebody has halted is not down: nothing would ever change beside it. */
function isDown({ spec }: VirtualMachine, instance: VirtualMachineInstance | undefined): boolean {
  if (runStrategyOf(spec) === RunStrategy.halted) return false;
  return instance === undefined || !isServing(instance);
}

function isServing({ metadata, status }: VirtualMachineInstance): boolean {
  if (metadata.deletionTimestamp !== undefined || status?.phase !== VirtualMachineInstancePhase.running) return false;
  return hasCondition(status.conditions, VirtualMachineInstanceConditionType.ready, 'True');
}

/** At least one, else nothing would ever change. */
function mostUnavailable({ spec }: VirtualMachinePool): number {
  const { maxUnavailable = '100%', replicas = 1 } = spec;
  const percent = /^(\d+)%$/u.exec(String(maxUnavailable))?.[1];
  const count = percent === undefined ? Number(maxUnavailable) : Math.floor((replicas * Number(percent)) / 100);
  return Number.isSafeInteger(count) ? Math.max(1, count) : 1;
}
