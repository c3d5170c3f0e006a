import { styleText } from 'node:util';

import { table } from '../table.ts';

export interface ReadyFacts {
  readonly seconds: number;
  readonly apiUrl: string;
  readonly kubeconfig: string;
  /** Undefined where the console is not wanted. */
  readonly consoleLink: string | undefined;
  /** The hosts on this machine; none where this machine is the host. */
  readonly hosts: readonly string[];
  /** Whether a machine called demo is there, or about to be. */
  readonly hasDemo: boolean;
  /** What a shell reads to get into the OpenStack of these hosts, where they are computes of one. */
  readonly openrcFile?: string | undefined;
}

/** What a person is told once everything runs: where it is, and what to try. */
export function readyText(facts: ReadyFacts): readonly string[] {
  const { consoleLink, hosts } = facts;
  const places = [
    ...(consoleLink === undefined ? [] : [['  console', consoleLink]]),
    ['  API', facts.apiUrl],
    ...(hosts.length === 0 ? [] : [['  hosts', hosts.join(', ')]]),
  ];
  return [
    '',
    styleText('bold', `Smalt is ready after ${facts.seconds.toFixed(1)} s`),
    '',
    ...table(places).split('\n'),
    ...(consoleLink === undefined
      ? []
      : ['  The link signs in once, within 15 minutes; npx smalt open prints another.']),
    '',
    `  export KUBECONFIG=${quoted(facts.kubeconfig)}`,
    ...commands(facts).map((command) => `  ${command}`),
    '',
    ...openStackText(facts),
    'Ctrl-C shuts the virtual machines down and stops all; the next start brings them back.',
  ];
}

/** How to boot a server and see it move. */
function openStackText({ openrcFile, hosts: [host = 'hv1'] }: ReadyFacts): readonly string[] {
  if (openrcFile === undefined) return [];
  return [
    'These hosts are the computes of an OpenStack. Virtual machines of Smalt, and the demo, are left out: Nova has the hosts alone.',
    '',
    `  source ${quoted(openrcFile)}`,
    `  openstack server create --flavor m1.tiny --image cirros-kvm --nic none --host ${host} --wait first`,
    `  npx smalt maintenance ${host} on --wait`,
    '  openstack server show first -c OS-EXT-SRV-ATTR:host -c status',
    `  npx smalt maintenance ${host} off`,
    '',
  ];
}

function commands({ hosts, hasDemo, openrcFile }: ReadyFacts): readonly string[] {
  if (openrcFile !== undefined) return ['kubectl get hypervisors,evictions', 'npx smalt host list'];
  const machine = hasDemo ? 'npx smalt console demo' : 'kubectl explain virtualmachine.spec';
  return ['kubectl get hypervisors,vms -A', machine, hosts.length > 1 ? 'npx smalt migrate demo' : 'npx smalt top'];
}

function quoted(path: string): string {
  return /^[\w./-]+$/.test(path) ? path : `'${path.replaceAll("'", String.raw`'\''`)}'`;
}
