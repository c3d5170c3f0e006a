import { VirtHandlerError } from '../virt-handler-error.ts';

/** Where a network leads on this node. */
export interface Attachment {
  readonly plugin: 'nat' | 'bridge' | 'ovs' | 'sriov';
  readonly bridge: string | undefined;
  /** What the virtual functions of cards are called, for networks behind these. */
  readonly resource?: string | undefined;
  readonly vlan: number | undefined;
}

/** What the kernel takes as the name of an interface, less what nobody wants in one. */
const INTERFACE_NAME = /^[A-Za-z0-9][A-Za-z0-9_.-]{0,14}$/;
/** As in `hostDevices.pci`: `vendor.example/name`. */
const RESOURCE_NAME = /^[a-z\d][a-z\d.-]*\/[A-Za-z\d][\w.-]*$/;
const LAST_VLAN = 4094;

/** Reads `nat`, `bridge:NAME`, `ovs:NAME[:VLAN]` or `sriov:RESOURCE[:VLAN]`. Throws `bad-setting`, which begins with the setting. */
export function parseAttachment(text: string, setting: string): Attachment {
  const [plugin, bridge, vlan, ...rest] = text.split(':');
  if (plugin === 'nat' && bridge === undefined) return { plugin, bridge, vlan: undefined };
  if ((plugin === 'bridge' || plugin === 'ovs') && bridge !== undefined && rest.length === 0) {
    checkInterfaceName(bridge, setting);
    if (vlan === undefined) return { plugin, bridge, vlan };
    if (plugin === 'ovs' && isVlan(vlan)) return { plugin, bridge, vlan: Number(vlan) };
  }
  if (plugin === 'sriov' && RESOURCE_NAME.test(bridge ?? '') && rest.length === 0) {
    const cards = { plugin, bridge: undefined, resource: bridge } as const;
    if (vlan === undefined) return { ...cards, vlan };
    if (isVlan(vlan)) return { ...cards, vlan: Number(vlan) };
  }
  const forms = 'nat, bridge:NAME, ovs:NAME, ovs:NAME:VLAN, sriov:RESOURCE, sriov:RESOURCE:VLAN';
  const message = `${setting}: ${JSON.stringify(text)} is none of ${forms} (a VLAN is from 1 to ${LAST_VLAN})`;
  throw new VirtHandlerError('bad-setting', message, { field: setting });
}

function isVlan(text: string): boolean {
  return /^[1-9]\d{0,3}$/.test(text) && Number(text) <= LAST_VLAN;
}

/** Throws `bad-setting` for a text that is no name of an interface. */
export function checkInterfaceName(name: string, setting: string): void {
  if (INTERFACE_NAME.test(name)) return;
  const rule = 'letters, digits and _.- only, 15 at most';
  throw new VirtHandlerError('bad-setting', `${setting}: ${JSON.stringify(name)} cannot name an interface: ${rule}`, {
    field: setting,
  });
}
