import { complaintsAbout, type Kind } from '@smalt/kind';
import type { Resource } from '@smalt/resource';
import {
  crdResource,
  defaultCustomResourceDefinition,
  validateCustomResourceDefinition,
} from '@smalt/structural-schema';
import { describe, expect, it } from 'vitest';

import { evictionCases } from './cases/eviction-cases.ts';
import { changedHypervisorCases, hypervisorStatusCases, newHypervisorCases } from './cases/hypervisor-cases.ts';
import { migrationCases } from './cases/migration-cases.ts';
import { eviction } from './eviction.ts';
import { fleetKinds } from './fleet-kinds.ts';
import { hypervisor } from './hypervisor.ts';
import { migration } from './migration.ts';

describe.each([
  { what: 'a new hypervisor', kind: hypervisor, cases: newHypervisorCases },
  { what: 'a changed hypervisor', kind: hypervisor, cases: changedHypervisorCases },
  { what: 'the status of a hypervisor', kind: hypervisor, cases: hypervisorStatusCases },
  { what: 'an eviction', kind: eviction, cases: evictionCases },
  { what: 'a migration', kind: migration, cases: migrationCases },
])('$what', ({ kind, cases }) => {
  const resource = served(kind);

  it.each(cases)('$title', (row) => {
    expect(complaintsAbout(resource.strategy, row).toSorted()).toEqual(row.errors.toSorted());
  });
});

describe.each(fleetKinds)('the definition of $kind', (kind) => {
  it('is one that Kubernetes takes', () => {
    const definition = defaultCustomResourceDefinition(kind.crd());

    expect(validateCustomResourceDefinition(definition)).toEqual([]);
  });
});

describe('defaults of a hypervisor', () => {
  it('are filled in where there is a spec, and nowhere else', () => {
    const { strategy } = served(hypervisor);

    const filled = strategy.default({ kind: 'Hypervisor', spec: { evacuateOnReboot: false } });

    expect(filled['spec']).toEqual({
      aggregates: [],
      allowedProjects: [],
      createCertManagerCertificate: false,
      customTraits: [],
      evacuateOnReboot: false,
      highAvailability: true,
      installCertificate: true,
      lifecycleEnabled: true,
      reboot: false,
      skipTests: false,
    });
    expect(strategy.default({ kind: 'Hypervisor' })).toEqual({ kind: 'Hypervisor' });
  });

  it('tell of a status what is not known', () => {
    const { strategy } = served(hypervisor);

    const filled = strategy.default({ kind: 'Hypervisor', status: { updateStatus: {}, domainCapabilities: {} } });

    expect(filled['status']).toEqual({
      domainCapabilities: {
        arch: 'unknown',
        hypervisorType: 'unknown',
        supportedCpuModes: [],
        supportedDevices: [],
        supportedFeatures: [],
      },
      hypervisorVersion: 'unknown',
      libVirtVersion: 'unknown',
      numInstances: 0,
      updateStatus: { inProgress: false, installed: 'unknown', retry: 3 },
    });
  });
});

describe('kubectl get', () => {
  it.each([
    { kind: hypervisor, columns: 'Node Ready State Version Instances Hardware Kernel Age' },
    { kind: eviction, columns: 'Hypervisor Reason State Moved Moving Left Failed Created' },
    {
      kind: migration,
      columns:
        'Origin Destination Type Operation Started Elapsed Data Total Data Processed Data Remaining Memory TX Memory Dirty Rate Memory Iteration',
    },
  ])('shows $columns', ({ kind, columns }) => {
    const shown = kind.columns.filter((column) => (column.priority ?? 0) === 0).map((column) => column.name);

    expect(shown.join(' ')).toBe(columns);
  });

  it('prints what a hypervisor is', () => {
    const object = {
      metadata: { name: 'node001-bb234' },
      status: {
        numInstances: 11,
        operatingSystem: { prettyVersion: 'Garden Linux 1933.0', hardwareModel: 'PowerEdge R860' },
        conditions: [{ type: 'Ready', status: 'False', reason: 'Evicting' }],
      },
    };

    const cells = served(hypervisor)
      .columns.slice(0, 7)
      .map((column) => column.cell(object, new Date(0)));

    expect(cells).toEqual(['node001-bb234', 'False', 'Evicting', 'Garden Linux 1933.0', 11, 'PowerEdge R860', null]);
  });
});

function served(kind: Kind): Resource {
  return crdResource(defaultCustomResourceDefinition(kind.crd()), kind.versions[0].name);
}
