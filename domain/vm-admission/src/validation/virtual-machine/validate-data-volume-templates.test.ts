import { describe, expect, it } from 'vitest';

import type { DataVolumeTemplateSpec, VirtualMachine } from '@smalt/vm-api';

import { invalid, required, type Cause } from '../../cause.ts';
import type { ClusterSettings } from '../../cluster-settings.ts';
import { context, machine, withDisk, withoutAdvice } from '../../fixtures/small-instance.ts';
import { validateVirtualMachine } from './validate-virtual-machine.ts';

describe('the rules about volumes that are made along', () => {
  const field = 'spec.dataVolumeTemplate[0]';
  const pvc = { accessModes: ['ReadWriteOnce'] };
  const blank = { blank: {} };
  const claim = { kind: 'PersistentVolumeClaim', name: 'golden' };

  it.each([
    {
      rule: 'one has a name',
      bad: { spec: { pvc, source: blank } },
      cause: required(`${field}.name`, `'name' field must not be empty for DataVolumeTemplate entry ${field}.name.`),
    },
    {
      rule: 'one says what it is stored on',
      bad: volumeTemplate({ source: blank }),
      cause: invalid(`${field}.PVC.Storage`, 'Missing Data volume PVC or Storage'),
    },
    {
      rule: 'one says so once',
      bad: volumeTemplate({ source: blank, pvc, storage: {} }),
      cause: invalid(
        `${field}.PVC.Storage`,
        'Duplicate storage definition, both target storage and target pvc defined',
      ),
    },
    {
      rule: 'one is filled from inside or from outside',
      bad: volumeTemplate({ pvc: { dataSource: claim }, source: blank }),
      cause: invalid(`${field}.source`, 'External population is incompatible with Source and SourceRef'),
    },
    {
      rule: 'one is filled at all',
      bad: volumeTemplate({ storage: {} }),
      cause: invalid(
        `${field}.source.sourceRef`,
        'Data volume should have either Source, SourceRef, or be externally populated',
      ),
    },
    {
      rule: 'a source is one',
      bad: volumeTemplate({ pvc, source: {} }),
      cause: invalid(`${field}.source`, 'Missing dataVolume valid source'),
    },
    {
      rule: 'a source is only one',
      bad: volumeTemplate({ pvc, source: { blank: {}, upload: {} } }),
      cause: invalid(`${field}.source`, 'Multiple dataVolume sources'),
    },
    {
      rule: 'one is used',
      bad: { ...volumeTemplate({ pvc, source: blank }), metadata: { name: 'other' } },
      cause: required(
        field,
        `DataVolumeTemplate entry ${field} must be referenced in the VMI template's 'volumes' list`,
      ),
    },
    {
      rule: 'one is in the same namespace',
      bad: { ...volumeTemplate({ pvc, source: blank }), metadata: { name: 'root', namespace: 'elsewhere' } },
      cause: invalid(
        'spec.dataVolumeTemplates[0]',
        'Embedded DataVolume namespace elsewhere differs from VM namespace default',
      ),
    },
  ])('$rule', ({ bad, cause }) => {
    expect(judge(withTemplate(bad))).toEqual([cause]);
  });

  it.each([
    { source: 'a blank disk', good: volumeTemplate({ pvc, source: blank }) },
    { source: 'a DataSource', good: volumeTemplate({ storage: {}, sourceRef: { kind: 'DataSource', name: 'a' } }) },
    { source: 'another claim', good: volumeTemplate({ pvc: { dataSource: claim } }) },
  ])('takes one that is filled from $source', ({ good }) => {
    expect(judge(withTemplate(good))).toEqual([]);
  });

  it('looks at namespaces only when the volumes change', () => {
    const old = withTemplate({
      ...volumeTemplate({ pvc, source: blank }),
      metadata: { name: 'root', namespace: 'elsewhere' },
    });

    expect(
      validateVirtualMachine({ ...old, metadata: { ...old.metadata, labels: { a: 'b' } } }, old, context()),
    ).toEqual([]);
  });
});

function judge(object: VirtualMachine, settings: Partial<ClusterSettings> = {}): readonly Cause[] {
  return withoutAdvice(validateVirtualMachine(object, undefined, context(settings)));
}

function volumeTemplate(parts: DataVolumeTemplateSpec['spec']): DataVolumeTemplateSpec {
  return { metadata: { name: 'root' }, spec: parts };
}

function withTemplate(template: DataVolumeTemplateSpec): VirtualMachine {
  const parts = withDisk({}, { dataVolume: { name: 'root' } });
  return machine({ runStrategy: 'Always', template: { spec: parts }, dataVolumeTemplates: [template] });
}
