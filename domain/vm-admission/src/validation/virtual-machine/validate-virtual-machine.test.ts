import { describe, expect, it } from 'vitest';

import type { DataVolumeTemplateSpec, VirtualMachine } from '@smalt/vm-api';

import { invalid, notSupported, required, type Cause } from '../../cause.ts';
import type { ClusterSettings } from '../../cluster-settings.ts';
import { context, domain, machine, spec, withInterface, withoutAdvice } from '../../fixtures/small-instance.ts';
import { validateVirtualMachine, virtualMachineWarnings } from './validate-virtual-machine.ts';

describe('the rules about virtual machines', () => {
  it.each([
    {
      rule: 'one field says when it runs',
      bad: machine({ running: true, runStrategy: 'Always' }),
      causes: [
        invalid(
          'spec.running',
          'Running and RunStrategy are mutually exclusive. Note that Running is deprecated, please use RunStrategy instead',
        ),
      ],
      good: machine({ running: true }),
    },
    {
      rule: 'some field says when it runs',
      bad: machine({}),
      causes: [invalid('spec.running', 'RunStrategy must be specified')],
      good: machine({ runStrategy: 'Once' }),
    },
    {
      rule: 'a run strategy is known',
      bad: machine({ runStrategy: 'Sometimes' }),
      causes: [invalid('spec.runStrategy', 'Invalid RunStrategy (Sometimes)')],
      good: machine({ runStrategy: 'RerunOnFailure' }),
    },
    {
      rule: 'the template is good, and its causes tell where it stands',
      bad: machine({ runStrategy: 'Manual', template: { spec: spec({ hostname: 'a.b' }) } }),
      causes: [
        invalid(
          'spec.template.spec.hostname',
          'spec.template.spec.hostname does not conform to the kubernetes DNS_LABEL rules : must not contain dots',
        ),
      ],
      good: machine({ runStrategy: 'Manual', template: { spec: spec({ hostname: 'a' }) } }),
    },
    {
      rule: "labels of the template are not the control plane's",
      bad: machine({
        runStrategy: 'Manual',
        template: { metadata: { labels: { 'kubevirt.io/nodeName': 'a' } }, spec: spec() },
      }),
      causes: [
        notSupported(
          'spec.template.metadata.labels',
          'creation of the following reserved kubevirt.io/ labels on a VMI object is prohibited',
        ),
      ],
      good: machine({ runStrategy: 'Manual', template: { metadata: { labels: { app: 'a' } }, spec: spec() } }),
    },
    {
      rule: 'room to grow is possible',
      bad: machine({
        runStrategy: 'Manual',
        template: { spec: domain({ memory: { guest: '64Mi', maxGuest: '1Gi' } }) },
      }),
      causes: [
        invalid(
          'spec.template.spec.domain.memory.guest',
          'Memory hotplug is only available for VMs with at least 1Gi of guest memory',
        ),
      ],
      good: machine({
        runStrategy: 'Manual',
        template: { spec: domain({ memory: { guest: '1Gi', maxGuest: '4Gi' } }) },
      }),
    },
  ])('$rule', ({ bad, causes, good }) => {
    expect(judge(bad)).toEqual(causes);
    expect(judge(good)).toEqual([]);
  });

  it('refuses one without a template', () => {
    const { template: _template, ...rest } = machine().spec;
    const bad = { ...machine(), spec: rest } as VirtualMachine;

    expect(judge(bad)).toEqual([required('spec.template', 'missing virtual machine template.')]);
  });

  it('takes a template that leaves memory and disks to an instance type and to defaults', () => {
    const volumes = [{ name: 'root', emptyDisk: { capacity: '1Gi' } }];

    expect(judge(machine({ runStrategy: 'Always', template: {} }))).toEqual([]);
    expect(judge(machine({ runStrategy: 'Always', template: { spec: { domain: { devices: {} }, volumes } } }))).toEqual(
      [],
    );
  });

  it('waits as a receiver only where migrations between clusters are on', () => {
    const receiver = machine({ runStrategy: 'WaitAsReceiver' });

    expect(judge(receiver)).toEqual([]);
    expect(judge(receiver, { disabledFeatureGates: ['DecentralizedLiveMigration'] })).toEqual([
      invalid(
        'spec.runStrategy',
        'Invalid RunStrategy (WaitAsReceiver), DecentralizedLiveMigration feature gate is not enabled in kubevirt resource',
      ),
    ]);
  });

  it('refuses discontinued bindings of new ones only', () => {
    const parts = withInterface({});
    const [nic] = parts.domain.devices.interfaces ?? [];
    const template = {
      spec: {
        ...parts,
        domain: { ...parts.domain, devices: { interfaces: [{ ...nic, name: 'default', slirp: {} }] } },
      },
    };
    const old = machine({ runStrategy: 'Always', template });

    expect(judge(old)).toEqual([
      invalid(
        'spec.template.spec.domain.devices.interfaces[0].slirp',
        'Slirp interface support has been discontinued since v1.3',
      ),
    ]);
    expect(validateVirtualMachine(old, old, context())).toEqual([]);
  });

  it('never holds up one that is being deleted', () => {
    const bad = machine({}, { metadata: { name: 'small', deletionTimestamp: '2026-01-01T00:00:00Z' } });

    expect(judge(bad)).toEqual([]);
  });

  it('warns of the old field', () => {
    expect(virtualMachineWarnings(machine({ running: false }))).toEqual([
      'spec.running is deprecated, please use spec.runStrategy instead.',
    ]);
    expect(virtualMachineWarnings(machine())).toEqual([]);
  });

  it('judges the template that instance type and preference make of it', () => {
    const template = { spec: { domain: { memory: { guest: '1Gi' }, devices: { disks: [{ name: 'nobody' }] } } } };

    const chosen = machine({ runStrategy: 'Always', instancetype: { name: 'large' } });

    const causes = validateVirtualMachine(chosen, undefined, { ...context(), template });

    expect(causes.map(({ field }) => field)).toEqual(['spec.template.spec.domain.devices.disks[0].name']);
  });

  it('tells all causes at once, wherever they are', () => {
    const bad = machine({
      template: { spec: { ...spec({ hostname: 'a.b', subdomain: 'A' }), hypervisor: 'vax' } },
      dataVolumeTemplates: [volumeTemplate({})],
    });

    const causes = validateVirtualMachine(bad, undefined, { ...context(), refusalsOf: () => undefined });

    expect(causes.map(({ field }) => field)).toEqual([
      'spec.template.spec.hostname',
      'spec.template.spec.subdomain',
      'spec.dataVolumeTemplate[0].PVC.Storage',
      'spec.running',
      'spec.template.spec.hypervisor',
    ]);
  });
});

function judge(object: VirtualMachine, settings: Partial<ClusterSettings> = {}): readonly Cause[] {
  return withoutAdvice(validateVirtualMachine(object, undefined, context(settings)));
}

function volumeTemplate(parts: DataVolumeTemplateSpec['spec']): DataVolumeTemplateSpec {
  return { metadata: { name: 'root' }, spec: parts };
}
