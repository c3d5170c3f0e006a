import type { Deed } from '../../../api/rights.ts';

export type HostTab = 'overview' | 'machines' | 'events' | 'log';

/** The parts of a host's page, in their order. */
export const HOST_TABS: readonly { readonly name: HostTab; readonly label: string }[] = [
  { name: 'overview', label: 'Overview' },
  { name: 'machines', label: 'Virtual machines' },
  { name: 'events', label: 'Events' },
  { name: 'log', label: 'Log' },
];

/** Reads which part the address names; the overview without one. */
export function parseHostTab({ tab }: Readonly<Record<string, unknown>>): { readonly tab?: HostTab } {
  const found = HOST_TABS.find(({ name }) => name === tab);
  return found === undefined || found.name === 'overview' ? {} : { tab: found.name };
}

/** What somebody has to be allowed to be offered that part. */
export function hostTabDeed(tab: HostTab): Deed {
  switch (tab) {
    case 'overview':
      return { verb: 'get', group: 'kvm.cloud.sap', resource: 'hypervisors' };
    case 'machines':
      return { verb: 'list', group: 'kubevirt.io', resource: 'virtualmachineinstances' };
    case 'events':
      return { verb: 'list', group: '', resource: 'events' };
    case 'log':
      return { verb: 'get', group: 'subresources.kubevirt.io', resource: 'nodes', subresource: 'logs' };
  }
}
