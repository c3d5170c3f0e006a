import type { VirtualMachineInstanceReplicaSet, VirtualMachineInstanceReplicaSetSpec } from '@smalt/vm-api';
import { describe, expect, it } from 'vitest';

import { at, guest, instance, NOW } from '../fixtures/objects.ts';
import { decideReplicaSet, type ReplicaSetFacts } from './decide-replica-set.ts';

const ready = { conditions: [{ type: 'Ready', status: 'True' }] };

describe('decideReplicaSet', () => {
  it('makes what is missing', () => {
    const { actions } = decide(set({ replicas: 3 }), [replica('a')]);

    expect(actions).toHaveLength(2);
    expect(actions[0]).toMatchObject({
      kind: 'create-instance',
      instance: {
        metadata: {
          generateName: 'web',
          namespace: 'default',
          labels: { app: 'web' },
          ownerReferences: [{ name: 'web', uid: 'set-uid', controller: true }],
        },
        spec: guest(),
      },
    });
  });

  it('deletes those first that are not ready, then the newest', () => {
    const instances = [replica('old', ready, -90), replica('new', ready, -10), replica('ill', {}, -99)];

    expect(names(decide(set({ replicas: 1 }), instances).actions)).toEqual(['ill', 'new']);
  });

  it('deletes finished ones and makes others for them', () => {
    const { actions } = decide(set({ replicas: 1 }), [instance('Succeeded', {}, { name: 'done' })]);

    expect(actions.map(({ kind }) => kind)).toEqual(['delete-instance', 'create-instance']);
  });

  it('makes one when it does not say how many', () => {
    expect(decide(set({}), []).actions).toHaveLength(1);
  });

  it('does no more than 250 things at once', () => {
    expect(decide(set({ replicas: 1000 }), []).actions).toHaveLength(250);
  });

  it.each<[string, VirtualMachineInstanceReplicaSet]>([
    ['paused', set({ replicas: 5, paused: true })],
    ['deleted', { ...set({ replicas: 5 }), metadata: { name: 'web', deletionTimestamp: at(0) } }],
    ['about other labels than it gives', set({ replicas: 5, selector: { matchLabels: { app: 'other' } } })],
  ])('does nothing while it is %s', (_what, replicaSet) => {
    expect(decide(replicaSet, [instance('Failed')]).actions).toEqual([]);
  });

  it('counts those that live, and those of them that are ready', () => {
    const instances = [replica('a', ready), replica('b'), instance('Failed', {}, { name: 'c' })];

    expect(decide(set({ replicas: 2 }), instances).status).toEqual({
      replicas: 2,
      readyReplicas: 1,
      labelSelector: 'app=web',
      conditions: [],
    });
  });

  it('says that it is paused, and what went wrong', () => {
    const problem = { reason: 'FailedCreate', message: 'exceeded quota' };

    const { status } = decide(set({ paused: true }), [], problem);

    expect(status.conditions).toMatchObject([
      { type: 'ReplicaPaused', status: 'True', reason: 'Paused', message: 'Controller got paused' },
      { type: 'ReplicaFailure', status: 'True', ...problem },
    ]);
    expect(decide({ ...set({}), status }, []).status.conditions).toEqual([]);
  });

  it('says what to do when its selector does not match its template', () => {
    const { status } = decide(set({ selector: { matchLabels: { app: 'other' } } }), []);

    expect(status.conditions).toMatchObject([
      { type: 'ReplicaFailure', message: expect.stringContaining('make them the same') },
    ]);
  });
});

function decide(
  replicaSet: VirtualMachineInstanceReplicaSet,
  instances: ReplicaSetFacts['instances'],
  problem?: ReplicaSetFacts['problem'],
) {
  return decideReplicaSet({ replicaSet, instances, now: NOW, ...(problem === undefined ? {} : { problem }) });
}

function set(spec: Partial<VirtualMachineInstanceReplicaSetSpec>): VirtualMachineInstanceReplicaSet {
  return {
    apiVersion: 'kubevirt.io/v1',
    kind: 'VirtualMachineInstanceReplicaSet',
    metadata: { name: 'web', namespace: 'default', uid: 'set-uid' },
    spec: {
      selector: { matchLabels: { app: 'web' } },
      template: { metadata: { labels: { app: 'web' } }, spec: guest() },
      ...spec,
    },
  };
}

function replica(name: string, status: object = {}, age = -60) {
  return instance('Running', status, { name, creationTimestamp: at(age) });
}

function names(actions: ReturnType<typeof decideReplicaSet>['actions']): readonly string[] {
  return actions.map((action) => (action.kind === 'delete-instance' ? action.name : '(new)'));
}
