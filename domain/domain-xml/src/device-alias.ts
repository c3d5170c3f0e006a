import { attribute, child, children, element, type XmlElement } from '@smalt/xml';

/** The lists of an instance whose entries become devices with a name. */
export type DeviceKind = 'disk' | 'interface' | 'filesystem' | 'input' | 'gpu' | 'hostdevice';

// libvirt leaves names that begin with this to its users. The kind is part of it because names are unique per list
// only, and aliases within a domain.
const USER_PREFIX = 'ua-';

/** The element by which a device can be found again. */
export function aliasElement(kind: DeviceKind, name: string): XmlElement {
  return element('alias', { name: `${USER_PREFIX}${kind}-${name}` });
}

/** The name that a device has in the instance, if it carries one of `kind`. */
export function deviceName(device: XmlElement, kind: DeviceKind): string | undefined {
  const alias = child(device, 'alias');
  const text = alias && attribute(alias, 'name');
  const prefix = `${USER_PREFIX}${kind}-`;
  return text?.startsWith(prefix) === true ? text.slice(prefix.length) : undefined;
}

/** The device called `name` in a domain that was built: what libvirt is told to plug in or unplug. */
export function findDevice(domain: XmlElement, kind: DeviceKind, name: string): XmlElement | undefined {
  const devices = child(domain, 'devices');
  return devices && children(devices).find((device) => deviceName(device, kind) === name);
}
