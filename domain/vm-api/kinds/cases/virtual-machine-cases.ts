import type { JsonObject, JsonValue } from '@smalt/json';

import { RULES_NOT_CHECKED, type KindCase } from '@smalt/kind';

const INSTANCE = { spec: { domain: { devices: {} } } };

export const virtualMachineCases: readonly KindCase[] = [
  { title: 'needs no more than a template', object: machine({ template: INSTANCE }), errors: [] },
  {
    title: 'may have an empty template, to be filled by an instance type',
    object: machine({ template: {} }),
    errors: [],
  },
  {
    title: 'needs a template',
    object: machine({ runStrategy: 'Always' }),
    errors: ['spec.template: Required value', RULES_NOT_CHECKED],
  },
  {
    title: 'checks its template',
    object: machine({ template: { spec: { domain: {} } } }),
    errors: ['spec.template.spec.domain.devices: Required value', RULES_NOT_CHECKED],
  },
  {
    title: 'takes no text for running',
    object: machine({ running: 'true', template: INSTANCE }),
    errors: [
      'spec.running: Invalid value: "string": spec.running in body must be of type boolean: "string"',
      RULES_NOT_CHECKED,
    ],
  },
  { title: 'takes no data volumes', object: machine({ dataVolumeTemplates: [], template: INSTANCE }), errors: [] },
  {
    title: 'needs a spec in a data volume',
    object: machine({ dataVolumeTemplates: [{ metadata: { name: 'a' } }], template: INSTANCE }),
    errors: ['spec.dataVolumeTemplates[0].spec: Required value', RULES_NOT_CHECKED],
  },
  {
    title: 'knows what a data volume can hold',
    object: machine({ dataVolumeTemplates: [{ spec: { contentType: 'film' } }], template: INSTANCE }),
    errors: [
      'spec.dataVolumeTemplates[0].spec.contentType: Unsupported value: "film": supported values: "kubevirt", "archive"',
      RULES_NOT_CHECKED,
    ],
  },
  {
    title: 'reports its state',
    ...report({
      printableStatus: 'Running',
      ready: true,
      created: true,
      startFailure: null,
      conditions: [{ type: 'Ready', status: 'True', lastProbeTime: null, lastTransitionTime: '2026-08-21T10:00:00Z' }],
      volumeSnapshotStatuses: [{ name: 'root', enabled: false, reason: 'no class' }],
    }),
  },
  {
    title: 'reports orders with what is to be done',
    ...report({ stateChangeRequests: [{ uid: 'a' }] }, [
      'status.stateChangeRequests[0].action: Required value',
      RULES_NOT_CHECKED,
    ]),
  },
  {
    title: 'reports volumes to plug in in full',
    ...report({ volumeRequests: [{ addVolumeOptions: { name: 'a', disk: { name: 'a' } } }] }, [
      'status.volumeRequests[0].addVolumeOptions.volumeSource: Required value',
      RULES_NOT_CHECKED,
    ]),
  },
];

function machine(spec: JsonValue): JsonObject {
  return {
    apiVersion: 'kubevirt.io/v1',
    kind: 'VirtualMachine',
    metadata: { name: 'small', namespace: 'default' },
    spec,
  };
}

function report(status: JsonValue, errors: readonly string[] = []): Omit<KindCase, 'title'> {
  const old = machine({ template: INSTANCE });
  return { old, object: { ...old, status }, isStatus: true, errors };
}
