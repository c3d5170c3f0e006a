import { stripVTControlCharacters } from 'node:util';

import { expect, it } from 'vitest';

import { readyText, type ReadyFacts } from './ready-text.ts';

const FACTS: ReadyFacts = {
  seconds: 3.21,
  apiUrl: 'https://127.0.0.1:6443',
  kubeconfig: '/var/lib/smalt/admin.kubeconfig',
  consoleLink: 'http://127.0.0.1:8080/enter?code=abc',
  hosts: [],
  hasDemo: true,
};

it('says where everything is and what to try', () => {
  expect(text(FACTS)).toBe(`
Smalt is ready after 3.2 s

  console  http://127.0.0.1:8080/enter?code=abc
  API      https://127.0.0.1:6443
  The link signs in once, within 15 minutes; npx smalt open prints another.

  export KUBECONFIG=/var/lib/smalt/admin.kubeconfig
  kubectl get hypervisors,vms -A
  npx smalt console demo
  npx smalt top

Ctrl-C shuts the virtual machines down and stops all; the next start brings them back.`);
});

it('names the hosts, leaves the console out where there is none, and quotes what a shell would take apart', () => {
  const told = text({ ...FACTS, consoleLink: undefined, hosts: ['hv1', 'hv2'], kubeconfig: "/tmp/it's here/k" });

  expect(told).toContain('  API    https://127.0.0.1:6443\n  hosts  hv1, hv2\n');
  expect(told).toContain(String.raw`  export KUBECONFIG='/tmp/it'\''s here/k'`);
  expect(told).toContain('  npx smalt migrate demo\n');
  expect(told).not.toContain('console  ');
});

it('tells how to boot a server of its OpenStack and see it move', () => {
  const told = text({ ...FACTS, hosts: ['hv1', 'hv2'], hasDemo: false, openrcFile: '/var/lib/smalt/openstack/openrc' });

  expect(told).toContain('\n  source /var/lib/smalt/openstack/openrc\n  openstack server create ');
  expect(told).toContain('--host hv1 --wait first\n  npx smalt maintenance hv1 on --wait\n');
  expect(told).toContain('Virtual machines of Smalt, and the demo, are left out');
  expect(told).not.toContain('smalt migrate demo');
});

function text(facts: ReadyFacts): string {
  return stripVTControlCharacters(readyText(facts).join('\n'));
}
