import { attribute, child, children, element, parseXml, printXml, textContent, type XmlElement } from '@smalt/xml';

/** Memory of a guest that grows and shrinks while it runs. */
export interface MemoryDevice {
  /** How much it could have at most, how much it is told to have, and how much it has. */
  readonly sizeBytes: bigint;
  readonly requestedBytes: bigint;
  readonly currentBytes: bigint;
  /** The device as libvirt told it. */
  readonly element: XmlElement;
}

/** Guests take and give back memory in pieces of this size. */
const BLOCK_KIB = 2048;

/** The memory device of a domain, if it has one. */
export function findMemoryDevice(domainText: string): MemoryDevice | undefined {
  const devices = child(parseXml(domainText).root, 'devices');
  const device = devices && children(devices, 'memory').find((each) => attribute(each, 'model') === 'virtio-mem');
  const target = device && child(device, 'target');
  if (device === undefined || target === undefined) return undefined;
  return {
    sizeBytes: kibibytes(target, 'size'),
    requestedBytes: kibibytes(target, 'requested'),
    currentBytes: kibibytes(target, 'current'),
    element: device,
  };
}

/** A memory device to plug in. */
export function newMemoryDevice(sizeBytes: bigint, requestedBytes: bigint): string {
  return printXml(
    element('memory', { model: 'virtio-mem' }, [
      element('target', {}, [
        element('size', { unit: 'b' }, [String(sizeBytes)]),
        element('node', {}, ['0']),
        element('block', { unit: 'KiB' }, [String(BLOCK_KIB)]),
        element('requested', { unit: 'b' }, [String(requestedBytes)]),
      ]),
    ]),
  );
}

/** The same device, told to have another amount. */
export function resizedMemoryDevice({ element: device }: MemoryDevice, requestedBytes: bigint): string {
  const resize = (each: XmlElement): XmlElement =>
    each.name === 'requested'
      ? element('requested', { unit: 'b' }, [String(requestedBytes)])
      : { ...each, children: each.children.map((node) => (node.kind === 'element' ? resize(node) : node)) };
  return printXml(resize(device));
}

/** libvirt reports KiB. */
function kibibytes(target: XmlElement, name: string): bigint {
  const found = child(target, name);
  const digits = found && /^\s*(\d+)\s*$/u.exec(textContent(found))?.[1];
  return digits === undefined ? 0n : BigInt(digits) * 1024n;
}
