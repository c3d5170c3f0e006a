import { describe, expect, it } from 'vitest';

import { applyJsonPatch } from '@smalt/object-patch';
import type { VirtualMachineInstance } from '@smalt/vm-api';

import { instance, machine, spec } from '../fixtures/small-instance.ts';
import { decideEvacuateCancel, decideMigrate } from './decide-migrate.ts';
import type { SubresourceDecision } from './decision.ts';

describe('moving and staying', () => {
  it('makes a migration of one that runs', () => {
    expect(decideMigrate(machine(), inPhase('Running'), { addedNodeSelector: { zone: 'a' } })).toEqual({
      kind: 'create-migration',
      spec: { vmiName: 'small', addedNodeSelector: { zone: 'a' } },
    });
    expect(decideMigrate(machine(), inPhase('Scheduled'))).toMatchObject({ code: 409, message: 'VM is not running' });
    expect(decideMigrate(machine(), undefined)).toMatchObject({ code: 404, name: 'small' });
  });

  it('gives an evacuation up from the node that is named', () => {
    const marked = instance(spec(), { status: { evacuationNodeName: 'a', nodeName: 'a' } });

    const decision = decideEvacuateCancel(marked, { evacuationNodeName: 'a' }, false);

    expect(patchedInstance(decision, marked)).toEqual(instance(spec(), { status: { nodeName: 'a' } }));
    expect(() => patchedInstance(decideEvacuateCancel(marked, { evacuationNodeName: 'b' }, false), marked)).toThrow(
      /rejected our request/,
    );
    expect(decideEvacuateCancel(instance(), {}, false)).toEqual({ kind: 'nothing' });
    expect(decideEvacuateCancel(marked, {}, true)).toMatchObject({
      code: 400,
      message: 'Node "a" has NodeDrainTaintKey "kubevirt.io/drain:NoSchedule"',
    });
  });
});

function patchedInstance(decision: SubresourceDecision, object: VirtualMachineInstance): VirtualMachineInstance {
  return patch(decision, object, ['instance']);
}

function patch<Item>(decision: SubresourceDecision, object: Item, targets: readonly string[]): Item {
  if (decision.kind !== 'patch') throw new Error(`no patch: ${JSON.stringify(decision)}`);
  return decision.patches
    .filter(({ target }) => targets.includes(target))
    .reduce((before, { operations }) => apply(before, operations), object);
}

function apply<Item>(object: Item, operations: readonly unknown[]): Item {
  return applyJsonPatch(JSON.parse(JSON.stringify(object)), JSON.parse(JSON.stringify(operations))) as Item;
}

function inPhase(phase: string, parts: Partial<VirtualMachineInstance['spec']> = {}): VirtualMachineInstance {
  return instance(spec(parts), { status: { phase } });
}
