import { expect, it } from 'vitest';

import { readClusterHost, defaultClusterNames } from '../cluster/read-cluster-host.ts';
import { slimHypervisor, type WatchedHypervisor } from '../cluster/watched-hypervisor.ts';
import { switchFacts } from './switch-facts.ts';

const OFFBOARDED = { type: 'Offboarded', status: 'True', reason: 'Offboarded', message: '' } as const;

it('counts no Hypervisor that is deleted or offboarded among those that name a switch, and knows of it all the same', () => {
  const hosts = [
    hostOf('stays', {}),
    hostOf('deleted', { deletionTimestamp: '2026-01-01T00:00:00Z' }),
    hostOf('offboarded', {}, [{ ...OFFBOARDED, lastTransitionTime: '2026-01-01T00:00:00Z' }]),
  ];
  const facts = switchFacts({ host: (name) => hosts.find((each) => each.name === name), view: () => ({ hosts }) });

  expect(facts.fleet().map(({ name }) => name)).toEqual(['stays']);
  expect(facts.facts('deleted')).toMatchObject({ name: 'deleted' });
  expect(facts.fleet()).toBe(facts.fleet());
});

function hostOf(
  name: string,
  metadata: Partial<WatchedHypervisor['metadata']>,
  conditions: NonNullable<WatchedHypervisor['status']>['conditions'] = [],
) {
  const object = { apiVersion: 'v1', kind: 'Hypervisor', metadata: { name, ...metadata }, status: { conditions } };
  return readClusterHost(slimHypervisor(object), undefined, defaultClusterNames);
}
