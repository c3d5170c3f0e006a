import type { InterfaceFacts } from './switch-facts.ts';

type Marked = Pick<InterfaceFacts, 'externalIds'>;

/** The marks that Nova, os-vif and libvirt leave on the interface of a guest. */
const GUEST_MARKS: readonly string[] = ['attached-mac', 'vm-uuid', 'vm-id'];
const LOGICAL_PORT = 'iface-id';
/** What Neutron, os-vif and libvirt call the devices that they make. */
const GUEST_NAME = /^(?:tap|macvtap|vnet|veth|qvo|qvb|vhu)/;

/** Whether it bears the marks of a guest beside the name of a logical port, which other things have, too. */
export function hasGuestMark({ externalIds }: Marked): boolean {
  return GUEST_MARKS.some((mark) => externalIds.has(mark));
}

/** Whether it belongs to a guest or to a logical port, so that it is no network card of the host. */
export function hasOwnerMark(marked: Marked): boolean {
  return marked.externalIds.has(LOGICAL_PORT) || hasGuestMark(marked);
}

/** Whether it is called as a guest's device is, though nobody has marked it. */
export function isNamedAsGuest({ name }: Pick<InterfaceFacts, 'name'>): boolean {
  return GUEST_NAME.test(name);
}

/** The logical port that an interface says it is. */
export function logicalPortOf({ externalIds }: Marked): string | undefined {
  const id = externalIds.get(LOGICAL_PORT);
  return id === '' ? undefined : id;
}
