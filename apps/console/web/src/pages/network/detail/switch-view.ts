import type { Deed } from '../../../api/rights.ts';

export type SwitchTab = 'overview' | 'ports' | 'trace' | 'capture';

/** What the address of a switch's page says: the part of it, and the port that it is about. */
export interface SwitchView {
  readonly tab?: SwitchTab;
  readonly bridge?: string;
  readonly port?: string;
}

/** The parts of a switch's page, in their order. */
export const SWITCH_TABS: readonly { readonly name: SwitchTab; readonly label: string }[] = [
  { name: 'overview', label: 'Overview' },
  { name: 'ports', label: 'Ports' },
  { name: 'trace', label: 'Trace' },
  { name: 'capture', label: 'Capture' },
];

/** Reads the address; what it does not say is left out. */
export function parseSwitchView({ tab, bridge, port }: Readonly<Record<string, unknown>>): SwitchView {
  const found = SWITCH_TABS.find(({ name }) => name === tab);
  return {
    ...(found === undefined || found.name === 'overview' ? {} : { tab: found.name }),
    ...(typeof bridge === 'string' && bridge !== '' ? { bridge } : {}),
    ...(typeof port === 'string' && port !== '' ? { port } : {}),
  };
}

/** What somebody has to be allowed to be offered that part. */
export function switchTabDeed(
  tab: SwitchTab,
  { namespace, name }: { readonly namespace: string; readonly name: string },
): Deed {
  const node = { group: 'ovs.c5c3.io', resource: 'ovsnodes', namespace, name };
  switch (tab) {
    case 'overview':
      return { ...node, verb: 'get' };
    case 'ports':
      return { ...node, verb: 'get', subresource: 'diagnostics' };
    case 'trace':
      return { ...node, verb: 'create', subresource: 'trace' };
    case 'capture':
      return { ...node, verb: 'create', subresource: 'capture' };
  }
}
