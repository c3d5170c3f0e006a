import { describe, expect, it } from 'vitest';

import type { Interface, Network, VirtualMachineInstanceSpec } from '@smalt/vm-api';

import { judge } from '../../fixtures/judge.ts';
import { duplicate, invalid, required } from '../../cause.ts';
import { devices, spec, withInterface } from '../../fixtures/small-instance.ts';

const main = { multus: { networkName: 'main', default: true } };

const blue = { multus: { networkName: 'blue' } };

const LIST = 'spec.domain.devices.interfaces';
const FIRST = `${LIST}[0]`;

describe('the rules about networks', () => {
  it.each([
    {
      rule: 'a network has an interface',
      bad: spec({ networks: [{ name: 'default', pod: {} }] }),
      causes: [required('spec.networks[0].name', "spec.networks[0].name 'default' not found.")],
      good: withInterface({}),
    },
    {
      rule: 'an interface has a network',
      bad: devices({ interfaces: [{ name: 'default', bridge: {} }] }),
      causes: [invalid(`${FIRST}.name`, `${FIRST}.name 'default' not found.`)],
      good: withInterface({ bridge: {} }),
    },
    {
      rule: 'networks have different names',
      bad: connected(
        [
          { name: 'a', ...blue },
          { name: 'a', ...blue },
        ],
        [{ name: 'a', bridge: {} }],
      ),
      causes: [
        duplicate(
          'spec.networks[1].name',
          'Network with name "a" already exists, every network must have a unique name',
        ),
      ],
      good: connected([{ name: 'a', ...blue }], [{ name: 'a', bridge: {} }]),
    },
    {
      rule: 'a network has one interface',
      bad: connected(
        [{ name: 'a', ...blue }],
        [
          { name: 'a', bridge: {} },
          { name: 'a', bridge: {} },
        ],
      ),
      causes: [duplicate(`${LIST}[1].name`, 'Only one interface can be connected to one specific network')],
      good: connected(
        [
          { name: 'a', ...blue },
          { name: 'b', ...blue },
        ],
        [
          { name: 'a', bridge: {} },
          { name: 'b', bridge: {} },
        ],
      ),
    },
    {
      rule: 'a network has a type',
      bad: connected([{ name: 'a' }], [{ name: 'a', bridge: {} }]),
      causes: [required('spec.networks[0]', 'should have a network type')],
      good: connected([{ name: 'a', pod: {} }], [{ name: 'a', bridge: {} }]),
    },
    {
      rule: 'a network has one type',
      bad: connected([{ name: 'a', pod: {}, ...blue }], [{ name: 'a', bridge: {} }]),
      causes: [required('spec.networks[0]', 'should have only one network type')],
      good: connected([{ name: 'a', ...blue }], [{ name: 'a', bridge: {} }]),
    },
    {
      rule: 'a network of a plugin has a name there',
      bad: connected([{ name: 'a', multus: { networkName: '' } }], [{ name: 'a', bridge: {} }]),
      causes: [required('spec.networks[0]', 'CNI delegating plugin must have a networkName')],
      good: connected([{ name: 'a', ...blue }], [{ name: 'a', sriov: {} }]),
    },
    {
      rule: 'there is one pod network',
      bad: connected(
        [
          { name: 'a', pod: {} },
          { name: 'b', pod: {} },
        ],
        [
          { name: 'a', masquerade: {} },
          { name: 'b', masquerade: {} },
        ],
      ),
      causes: [
        duplicate('spec.interfaces', 'more than one interface is connected to a pod network in spec.interfaces'),
      ],
      good: connected(
        [
          { name: 'a', pod: {} },
          { name: 'b', ...blue },
        ],
        [
          { name: 'a', masquerade: {} },
          { name: 'b', bridge: {} },
        ],
      ),
    },
    {
      rule: 'there is one default network',
      bad: connected(
        [
          { name: 'a', ...main },
          { name: 'b', ...main },
        ],
        [
          { name: 'a', bridge: {} },
          { name: 'b', bridge: {} },
        ],
      ),
      causes: [invalid('spec.networks', 'Multus CNI should only have one default network')],
      good: connected([{ name: 'a', ...main }], [{ name: 'a', bridge: {} }]),
    },
    {
      rule: 'a default network takes the place of the pod network',
      bad: connected(
        [
          { name: 'a', ...main },
          { name: 'b', pod: {} },
        ],
        [
          { name: 'a', bridge: {} },
          { name: 'b', bridge: {} },
        ],
      ),
      causes: [invalid('spec.networks', 'Pod network cannot be defined when Multus default network is defined')],
      good: connected(
        [
          { name: 'a', ...main },
          { name: 'b', ...blue },
        ],
        [
          { name: 'a', bridge: {} },
          { name: 'b', bridge: {} },
        ],
      ),
    },
  ])('$rule', ({ bad, causes, good }) => {
    expect(judge(bad)).toEqual(causes);
    expect(judge(good)).toEqual([]);
  });
});

function connected(networks: readonly Network[], interfaces: readonly Interface[]): VirtualMachineInstanceSpec {
  return { ...devices({ interfaces }), networks };
}
