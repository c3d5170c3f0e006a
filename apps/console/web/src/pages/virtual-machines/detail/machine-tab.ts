import type { Deed } from '../../../api/rights.ts';
import type { Machine } from '../machine.ts';

export type MachineTab = 'overview' | 'console' | 'display' | 'events' | 'volumes' | 'log' | 'yaml';

/** The parts of a machine's page, in their order. */
export const MACHINE_TABS: readonly { readonly name: MachineTab; readonly label: string }[] = [
  { name: 'overview', label: 'Overview' },
  { name: 'console', label: 'Serial console' },
  { name: 'display', label: 'Display' },
  { name: 'events', label: 'Events' },
  { name: 'volumes', label: 'Volumes' },
  { name: 'log', label: 'Log' },
  { name: 'yaml', label: 'YAML' },
];

/** Reads which part the address names; the overview without one. */
export function parseMachineTab({ tab }: Readonly<Record<string, unknown>>): { readonly tab?: MachineTab } {
  const found = MACHINE_TABS.find(({ name }) => name === tab);
  return found === undefined || found.name === 'overview' ? {} : { tab: found.name };
}

/** What somebody has to be allowed to be offered that part. */
export function tabDeed(tab: MachineTab, { namespace }: Pick<Machine, 'namespace'>): Deed {
  const instances = { verb: 'get', group: 'subresources.kubevirt.io', resource: 'virtualmachineinstances', namespace };
  switch (tab) {
    case 'console':
      return { ...instances, subresource: 'console' };
    case 'display':
      return { ...instances, subresource: 'vnc' };
    case 'log':
      return { ...instances, subresource: 'logs' };
    case 'events':
      return { verb: 'list', group: '', resource: 'events', namespace };
    case 'overview':
    case 'volumes':
    case 'yaml':
      return { verb: 'get', group: 'kubevirt.io', resource: 'virtualmachines', namespace };
  }
}
