import { cursorAt, isXmlError, parseXml, type XmlCursor } from '@smalt/xml';

import { deviceName } from '../device-alias.ts';
import { DomainXmlError } from '../domain-xml-error.ts';
import type {
  DomainReport,
  ReportedDisk,
  ReportedInterface,
  ReportedMemory,
  ReportedProcessors,
} from './domain-report.ts';
import { readAmount } from './read-amount.ts';
import { readOwner } from './read-owner.ts';

/** What the XML of a domain says, ours or not. Throws `not-a-domain` for a text that is none. */
export function readDomain(text: string): DomainReport {
  try {
    return report(cursorAt(parseXml(text)));
  } catch (error) {
    if (!isXmlError(error)) throw error;
    throw new DomainXmlError('not-a-domain', `libvirt's text is no domain: ${error.message}`, { cause: error });
  }
}

function report(domain: XmlCursor): DomainReport {
  if (domain.element.name !== 'domain') {
    throw new DomainXmlError('not-a-domain', `libvirt's text is no domain but a <${domain.element.name}>`);
  }
  const vsock = domain.value('devices/vsock/cid/@address');
  const console = domain.find('devices/serial') ?? domain.find('devices/console');
  return {
    name: domain.requireText('name'),
    uuid: domain.value('uuid'),
    owner: readOwner(domain),
    type: domain.requireAttribute('type'),
    architecture: domain.value('os/type/@arch'),
    machineType: domain.value('os/type/@machine'),
    memory: readMemory(domain),
    processors: readProcessors(domain),
    disks: domain.findAll('devices/disk').map(readDisk),
    interfaces: [...domain.findAll('devices/interface').map(readInterface), ...passedThroughInterfaces(domain)],
    serialPath: console?.value('source/@path'),
    vncSocket: domain.value('devices/graphics/listen/@socket') ?? domain.value('devices/graphics/@socket'),
    vsockCid: vsock === undefined ? undefined : Number(vsock),
    isAgentConnected: domain.findAll('devices/channel/target').some(isConnectedAgent),
  };
}

function isConnectedAgent(target: XmlCursor): boolean {
  return target.attribute('name') === 'org.qemu.guest_agent.0' && target.attribute('state') === 'connected';
}

function readMemory(domain: XmlCursor): ReportedMemory {
  const bytes = readAmount(domain.require('memory'));
  const current = domain.find('currentMemory');
  const max = domain.find('maxMemory');
  return {
    bytes,
    currentBytes: current ? readAmount(current) : bytes,
    maxBytes: max && readAmount(max),
  };
}

function readProcessors(domain: XmlCursor): ReportedProcessors {
  const maxCount = Number(domain.value('vcpu') ?? 1);
  const enabled = domain.findAll('vcpus/vcpu').filter((vcpu) => vcpu.attribute('enabled') === 'yes');
  const current = domain.value('vcpu/@current');
  return {
    count: current === undefined ? enabled.length || maxCount : Number(current),
    maxCount,
    cores: Number(domain.value('cpu/topology/@cores') ?? 1),
    threads: Number(domain.value('cpu/topology/@threads') ?? 1),
  };
}

function readDisk(disk: XmlCursor): ReportedDisk {
  const source = disk.child('source');
  return {
    name: deviceName(disk.element, 'disk'),
    device: disk.attribute('device') ?? 'disk',
    target: disk.requireAttribute('target/@dev'),
    bus: disk.value('target/@bus'),
    path: source?.attribute('file') ?? source?.attribute('dev'),
    isReadOnly: disk.child('readonly') !== undefined,
  };
}

function readInterface(card: XmlCursor): ReportedInterface {
  const mtu = card.value('mtu/@size');
  return {
    name: deviceName(card.element, 'interface'),
    mac: card.value('mac/@address'),
    device: card.value('target/@dev'),
    model: card.value('model/@type'),
    queues: Number(card.value('driver/@queues') ?? 1),
    linkState: card.value('link/@state') === 'down' ? 'down' : 'up',
    mtu: mtu === undefined ? undefined : Number(mtu),
  };
}

/** Functions of network cards are told from other devices by the name they were given. */
function passedThroughInterfaces(domain: XmlCursor): readonly ReportedInterface[] {
  return domain.findAll('devices/hostdev').flatMap((device) => {
    const name = deviceName(device.element, 'interface');
    if (name === undefined) return [];
    return [{ name, mac: undefined, device: undefined, model: undefined, queues: 1, linkState: 'up', mtu: undefined }];
  });
}
