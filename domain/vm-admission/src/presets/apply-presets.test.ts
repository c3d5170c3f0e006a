import type { DomainSpec, VirtualMachineInstance, VirtualMachineInstancePreset } from '@smalt/vm-api';
import { describe, expect, it } from 'vitest';

import { domain, instance } from '../fixtures/small-instance.ts';
import { applyPresets, matchingPresets, presetConflicts } from './apply-presets.ts';

describe('matchingPresets', () => {
  const presets = [preset('b', {}, { size: 'small' }), preset('a', {}, {}), preset('c', {}, { size: 'large' })];

  it('are those whose selector holds, by their names', () => {
    expect(names(matchingPresets(labelled({ size: 'small' }), presets))).toEqual(['a', 'b']);
  });

  it('are none for an instance that does not want any', () => {
    const annotations = { 'virtualmachineinstancepresets.admission.kubevirt.io/exclude': 'true' };
    const aloof = { ...labelled({ size: 'small' }), metadata: { name: 'vm', labels: { size: 'small' }, annotations } };

    expect(matchingPresets(aloof, presets)).toEqual([]);
  });
});

describe('applyPresets', () => {
  it('fills in what an instance does not say, and notes that', () => {
    const { metadata, spec } = applyPresets(labelled({}), [
      preset('small', {
        cpu: { cores: 2 },
        resources: { requests: { memory: '64Mi' } },
        clock: { timezone: 'Europe/Berlin', timer: { hpet: { present: false } } },
        features: { acpi: {} },
        firmware: { serial: 's' },
        ioThreadsPolicy: 'shared',
        devices: { watchdog: { name: 'w' } },
      }),
    ]);

    expect(spec.domain).toMatchObject({
      cpu: { cores: 2 },
      resources: { requests: { memory: '64Mi' } },
      clock: { timezone: 'Europe/Berlin', timer: { hpet: { present: false } } },
      features: { acpi: {} },
      firmware: { serial: 's' },
      ioThreadsPolicy: 'shared',
      devices: { watchdog: { name: 'w' } },
    });
    expect(metadata.annotations).toEqual({ 'virtualmachinepreset.kubevirt.io/small': 'kubevirt.io/v1' });
  });

  it('leaves what an instance says itself', () => {
    const own = labelled({}, { cpu: { cores: 4 } });

    expect(applyPresets(own, [preset('small', { cpu: { cores: 2 } })])).toBe(own);
  });

  it('passes over what presets cannot say, such as memory', () => {
    const own = labelled({});

    expect(applyPresets(own, [preset('small', { memory: { guest: '128Mi' } })])).toEqual(own);
  });

  it('changes nothing where presets contradict each other', () => {
    const own = labelled({});

    expect(applyPresets(own, [preset('a', { cpu: { cores: 2 } }), preset('b', { cpu: { cores: 3 } })])).toBe(own);
  });
});

describe('presetConflicts', () => {
  it.each<[string, Partial<DomainSpec>, Partial<DomainSpec>, string | undefined]>([
    ['say other processors', { cpu: { cores: 1 } }, { cpu: { cores: 2 } }, 'spec.cpu'],
    ['say the same', { cpu: { cores: 1 } }, { cpu: { cores: 1 } }, undefined],
    ['ask for other things', requests({ cpu: '1' }), requests({ memory: '64Mi' }), undefined],
    ['ask for other amounts', requests({ cpu: '1' }), requests({ cpu: '2' }), 'spec.resources.requests'],
    ['say different things', { cpu: { cores: 1 } }, { features: { acpi: {} } }, undefined],
  ])('are told of presets that %s', (_what, left, right, field) => {
    const causes = presetConflicts([preset('a', left), preset('b', right)]);

    expect(causes.map(({ message }) => message)).toEqual(
      field === undefined
        ? []
        : [`VirtualMachinePresets cannot be applied due to conflicts: presets 'b' and 'a' conflict: ${field}`],
    );
  });
});

function requests(amounts: Readonly<Record<string, string>>): Partial<DomainSpec> {
  return { resources: { requests: amounts } };
}

function labelled(labels: Readonly<Record<string, string>>, parts: Partial<DomainSpec> = {}): VirtualMachineInstance {
  const made = instance(domain(parts));
  return { ...made, metadata: { ...made.metadata, labels } };
}

function preset(
  name: string,
  parts: Partial<DomainSpec>,
  matchLabels: Readonly<Record<string, string>> = {},
): VirtualMachineInstancePreset {
  return {
    apiVersion: 'kubevirt.io/v1',
    kind: 'VirtualMachineInstancePreset',
    metadata: { name, namespace: 'default' },
    spec: { selector: { matchLabels }, domain: { devices: {}, ...parts } },
  };
}

function names(presets: readonly VirtualMachineInstancePreset[]): readonly string[] {
  return presets.map(({ metadata }) => metadata.name);
}
