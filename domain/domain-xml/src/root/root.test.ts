import type { DomainSpec, VirtualMachineInstanceSpec } from '@smalt/vm-api';
import { describe, expect, it } from 'vitest';

import type { DomainContext } from '../domain-context.ts';
import type { DomainStep } from '../domain-step.ts';
import { anInput, anInstance } from '../fixtures/an-instance.ts';
import { printStep } from '../fixtures/print-step.ts';
import { clockStep } from './clock-step.ts';
import { featuresStep } from './features-step.ts';
import { firmwareKindOf, firmwareStep } from './firmware-step.ts';
import { domainName, identityStep } from './identity-step.ts';
import { launchSecurityStep } from './launch-security-step.ts';
import { lifeCycleStep } from './life-cycle-step.ts';
import { memoryBackingStep } from './memory-backing-step.ts';
import { memoryStep } from './memory-step.ts';
import { processorModelStep } from './processor-model-step.ts';
import { systemInformationStep } from './system-information-step.ts';
import { virtualProcessorsStep } from './virtual-processors-step.ts';

const UUID = '5d307ca9-b3ef-428c-8861-06e72d69f223';

describe('a domain', () => {
  it('is known by the namespace and name of its instance', () => {
    expect(domainName(anInstance())).toBe('default_guest');
  });

  it.each<[string, DomainStep, Partial<DomainSpec>, string]>([
    [
      'has the id that the guest reads',
      identityStep,
      { firmware: { uuid: UUID.toUpperCase() } },
      `<uuid>${UUID}</uuid>`,
    ],
    ['has the id of its instance', identityStep, {}, '<uuid>8a7c8a0e-3b3c-4f0c-9a55-7f1f0f0c2b11</uuid>'],
    ['knows its grace period', identityStep, {}, '<deletionGracePeriodSeconds>30<'],
    ['has memory', memoryStep, {}, "<memory unit='b'>1073741824</memory>"],
    [
      'has room for memory',
      memoryStep,
      { memory: { guest: '1Gi', maxGuest: '4Gi' } },
      "<maxMemory slots='1' unit='b'>4294967296</maxMemory>",
    ],
    [
      'has huge pages',
      memoryBackingStep,
      { memory: { guest: '1Gi', hugepages: { pageSize: '2Mi' } } },
      "<hugepages><page size='2097152' unit='b'/></hugepages><source type='memfd'/>",
    ],
    [
      'shares memory with a file server',
      memoryBackingStep,
      { devices: { filesystems: [{ name: 'a', virtiofs: {} }] } },
      "<memoryBacking><source type='memfd'/><access mode='shared'/></memoryBacking>",
    ],
    ['keeps memory in place', memoryBackingStep, { cpu: { realtime: {} } }, '<nosharepages/><locked/>'],
    ['has processors', virtualProcessorsStep, { cpu: { cores: 2 } }, "<vcpu placement='static'>2</vcpu>"],
    [
      'has room for processors',
      virtualProcessorsStep,
      { cpu: { sockets: 1, maxSockets: 2 } },
      "<vcpu id='0' enabled='yes' hotpluggable='no'/><vcpu id='1' enabled='no' hotpluggable='yes'/>",
    ],
    ['looks like the host', processorModelStep, {}, "<cpu mode='host-model'>"],
    [
      'looks like a model with features',
      processorModelStep,
      { cpu: { model: 'EPYC', features: [{ name: 'aes' }, { name: 'vmx', policy: 'forbid' }] } },
      "<cpu mode='custom' match='exact'><model>EPYC</model><topology sockets='1' cores='1' threads='1'/>" +
        "<feature policy='require' name='aes'/><feature policy='forbid' name='vmx'/></cpu>",
    ],
    ['counts in UTC', clockStep, {}, "<clock offset='utc'/>"],
    [
      'is an hour ahead',
      clockStep,
      { clock: { utc: { offsetSeconds: 3600 } } },
      "offset='variable' adjustment='3600' basis='utc'",
    ],
    ['lives in a zone', clockStep, { clock: { timezone: 'Asia/Tokyo' } }, "offset='timezone' timezone='Asia/Tokyo'"],
    [
      'has timers',
      clockStep,
      { clock: { timer: { hpet: { present: false }, kvm: {}, hyperv: {} } } },
      "<timer name='hpet' present='no'/><timer name='kvmclock' present='yes'/><timer name='hypervclock' present='yes'/>",
    ],
    ['starts again', lifeCycleStep, {}, '<on_reboot>restart</on_reboot>'],
    ['ends on a reboot', lifeCycleStep, { rebootPolicy: 'Terminate' }, '<on_reboot>destroy</on_reboot>'],
    ['is shielded', launchSecurityStep, { launchSecurity: { sev: {} } }, "type='sev'><policy>0x0001</policy>"],
    [
      'is shielded with its registers',
      launchSecurityStep,
      { launchSecurity: { sev: { policy: { encryptedState: true }, dhCert: 'a', session: 'b' } } },
      '<policy>0x0005</policy><dhCert>a</dhCert><session>b</session>',
    ],
    ['is shielded by SNP', launchSecurityStep, { launchSecurity: { snp: {} } }, "type='sev-snp'"],
    ['is shielded by TDX', launchSecurityStep, { launchSecurity: { tdx: {} } }, "type='tdx'"],
    ['has a serial number', systemInformationStep, { firmware: { serial: '<1>' } }, "name='serial'>&lt;1&gt;<"],
    [
      'has a case',
      systemInformationStep,
      { chassis: { asset: 'a', sku: '' } },
      "<chassis><entry name='asset'>a</entry></chassis>",
    ],
  ])('%s', (_, step, domain, expected) => {
    expect(printStep(step, anInput(anInstance(domain))).join('')).toContain(expected);
  });

  it('takes no id that is none', () => {
    expect(() => printStep(identityStep, anInput(anInstance({ firmware: { uuid: 'x' } })))).toThrow(
      `spec.domain.firmware.uuid: "x" is no UUID; write it like ${UUID}`,
    );
  });
});

describe('features', () => {
  it.each<[Partial<DomainSpec>, Partial<VirtualMachineInstanceSpec>, string]>([
    [{}, {}, "<features><acpi/><vmport state='off'/></features>"],
    [{ features: { acpi: { enabled: false } } }, { architecture: 'arm64' }, ''],
    [{}, { architecture: 's390x' }, ''],
    [{ features: { apic: { endOfInterrupt: true } } }, {}, "<apic eoi='on'/>"],
    [{ features: { apic: {} } }, {}, '<apic/>'],
    [{ features: { kvm: { hidden: true } } }, {}, "<kvm><hidden state='on'/></kvm>"],
    [{ features: { pvspinlock: { enabled: false } } }, {}, "<pvspinlock state='off'/>"],
    [{ features: { smm: {} } }, {}, "<smm state='on'/>"],
    [{ cpu: { realtime: {} } }, {}, "<pmu state='off'/>"],
    [{ features: { hypervPassthrough: { enabled: true } } }, {}, "<hyperv mode='passthrough'/>"],
    [
      {
        features: {
          hyperv: { spinlocks: {}, synictimer: { direct: {} }, vendorid: { vendorid: 'x' }, evmcs: { enabled: false } },
        },
      },
      {},
      "<hyperv mode='custom'><spinlocks state='on' retries='4096'/><stimer state='on'><direct state='on'/></stimer>" +
        "<vendor_id state='on' value='x'/><evmcs state='off'/></hyperv>",
    ],
    [
      {
        features: {
          hyperv: { spinlocks: { enabled: false, spinlocks: 9000 }, tlbflush: { enabled: false, extended: {} } },
        },
      },
      {},
      "<spinlocks state='off'/><tlbflush state='off'/>",
    ],
  ])('of %o %o are %s', (domain, spec, expected) => {
    const printed = printStep(featuresStep, anInput(anInstance(domain, spec))).join('');

    expect(expected === '' ? printed === '' : printed.includes(expected)).toBe(true);
  });
});

describe('firmware', () => {
  const secure = { bootloader: { efi: {} } };
  it.each<[Partial<DomainSpec>, string, string | undefined]>([
    [{}, 'amd64', undefined],
    [{}, 'arm64', 'efi'],
    [{ firmware: secure }, 'amd64', 'efi-secure-boot'],
    [{ firmware: secure }, 'arm64', 'efi'],
    [{ firmware: { bootloader: { efi: { secureBoot: false } } } }, 'amd64', 'efi'],
    [{ firmware: secure, launchSecurity: { sev: {} } }, 'amd64', 'efi-sev'],
    [{ launchSecurity: { snp: {} } }, 'amd64', 'efi-snp'],
    [{ launchSecurity: { tdx: {} } }, 'amd64', 'efi-tdx'],
  ])('of %o on %s is %s', (domain, architecture, kind) => {
    expect(firmwareKindOf(anInstance(domain, { architecture }))).toBe(kind);
  });

  const image = { kind: 'efi-secure-boot', loader: '/code', variables: '/template' } as const;
  const kernelBoot = { kernelArgs: 'a "b" &c', container: { image: 'i', kernelPath: '/k', initrdPath: '/i' } };
  const table = {
    name: 't',
    source: { kind: 'file', path: '/slic.bin' },
    format: 'raw',
    supportsDirectIo: false,
  } as const;
  it.each<[DomainSpec['firmware'], Partial<DomainContext>, string]>([
    [
      secure,
      { firmware: [image], paths: { variables: '/own' } },
      "<loader readonly='yes' secure='yes' type='pflash'>/code</loader><nvram template='/template'>/own</nvram>",
    ],
    [
      { kernelBoot },
      { kernel: { kernel: '/x/k', initrd: '/x/i' } },
      '<kernel>/x/k</kernel><initrd>/x/i</initrd><cmdline>a &quot;b&quot; &amp;c</cmdline>',
    ],
    [{ acpi: { slicNameRef: 't' } }, { volumes: [table] }, "<acpi><table type='slic'>/slic.bin</table></acpi>"],
    [{ bootloader: { bios: { useSerial: true } } }, {}, "<bios useserial='yes'/>"],
  ])('%o on %o is %s', (firmware, context, expected) => {
    expect(printStep(firmwareStep, anInput(anInstance({ ...(firmware && { firmware }) }), context)).join('')).toContain(
      expected,
    );
  });

  it.each<[DomainSpec['firmware'], Partial<DomainContext>, string, string]>([
    [secure, {}, 'missing-firmware', 'the node has no firmware of the kind efi-secure-boot'],
    [secure, { firmware: [image] }, 'missing-firmware', 'no file was prepared for its variables'],
    [{ kernelBoot }, { kernel: { kernel: '/x' } }, 'missing-firmware', '/i was not unpacked on the node'],
    [{ acpi: { msdmNameRef: 't' } }, {}, 'missing-volume', 'spec.domain.firmware.acpi.msdmNameRef: the volume "t"'],
  ])('%o on %o is refused', (firmware, context, code, message) => {
    expect(() => printStep(firmwareStep, anInput(anInstance({ ...(firmware && { firmware }) }), context))).toThrow(
      expect.objectContaining({ code, message: expect.stringContaining(message) }),
    );
  });
});
