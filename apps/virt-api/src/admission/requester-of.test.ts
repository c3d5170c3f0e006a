import { expect, it } from 'vitest';

import { controlPlaneIn, requesterOf } from './requester-of.ts';

const plane = controlPlaneIn('vms');
const NODE = { 'authentication.kubernetes.io/node-name': ['n1'] };

it.each([
  { name: 'system:serviceaccount:vms:smalt-virt-api', requester: { kind: 'api' } },
  { name: 'system:serviceaccount:vms:kubevirt-apiserver', requester: { kind: 'api' } },
  { name: 'system:serviceaccount:vms:smalt-virt-controller', requester: { kind: 'controller' } },
  { name: 'system:serviceaccount:vms:kubevirt-controller', requester: { kind: 'controller' } },
  { name: 'system:serviceaccount:vms:smalt-virt-handler', requester: { kind: 'handler' } },
  { name: 'system:serviceaccount:vms:kubevirt-handler', extra: NODE, requester: { kind: 'handler', nodeName: 'n1' } },
  { name: 'system:serviceaccount:other:smalt-virt-handler', extra: NODE, requester: { kind: 'user' } },
  { name: 'smalt-virt-api', requester: { kind: 'user' } },
  { name: 'admin', requester: { kind: 'user' } },
])('$name is $requester.kind', ({ name, extra = {}, requester }) => {
  expect(requesterOf({ name, groups: ['system:masters'], extra }, plane)).toEqual(requester);
});
