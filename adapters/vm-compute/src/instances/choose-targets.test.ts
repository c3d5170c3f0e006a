import type { Node, Pod } from '@smalt/placement';
import { expect, it } from 'vitest';

import { chooseTargets } from './choose-targets.ts';

const HOSTNAME = 'kubernetes.io/hostname';
const EMULATION = 'hypervisor.node.kubevirt.io/qemu';

it.each([
  {
    what: 'anywhere, after a migration to a certain host',
    selector: { [HOSTNAME]: 'hv1' },
    asked: {},
    names: ['hv2', 'hv3', 'hv4'],
  },
  {
    what: 'only where the instance itself wants to be',
    selector: { [HOSTNAME]: 'hv2' },
    asked: { [HOSTNAME]: 'hv2' },
    names: ['hv2'],
  },
  {
    what: 'only where its kind of guest runs',
    selector: { [EMULATION]: 'true' },
    asked: {},
    names: ['hv3'],
  },
  {
    what: 'only where all instances are to be, after a migration to a certain host too',
    selector: { pool: 'virt', [HOSTNAME]: 'hv1' },
    asked: {},
    names: ['hv4'],
  },
])('lets a machine go $what', ({ selector, asked, names }) => {
  const nodes = [nodeNamed('hv2'), nodeNamed('hv3', { [EMULATION]: 'true' }), nodeNamed('hv4', { pool: 'virt' })];

  const targets = chooseTargets(launcher(selector), asked, nodes, []);

  expect(targets.map(({ name }) => name)).toEqual(names);
});

function nodeNamed(name: string, labels: Readonly<Record<string, string>> = {}): Node {
  const metadata = { name, uid: name, labels: { [HOSTNAME]: name, ...labels } };
  const allocatable = { cpu: '2', memory: '4Gi', pods: '10' };
  return { apiVersion: 'v1', kind: 'Node', metadata, spec: {}, status: { allocatable } };
}

function launcher(nodeSelector: Readonly<Record<string, string>>): Pod {
  const containers = [{ name: 'compute', resources: { requests: { cpu: '1', memory: '128Mi' } } }];
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'launcher' },
    spec: { nodeName: 'hv1', nodeSelector, containers },
  };
}
