/** Where the API server asks about writes, and about which. */
export interface WebhookEndpoint {
  /** The name of the webhook in its configuration. */
  readonly name: string;
  readonly path: string;
  readonly kind: 'mutating' | 'validating';
  readonly group: string;
  readonly versions: readonly string[];
  readonly resources: readonly string[];
  readonly operations: readonly ('CREATE' | 'UPDATE' | '*')[];
  /** Whether it does something beside answering, unless the write is a dry run. */
  readonly hasSideEffects?: boolean;
  readonly matchCondition?: { readonly name: string; readonly expression: string };
}

const GROUP = 'kubevirt.io';
const VERSIONS = ['v1alpha3', 'v1'];
const KUBEVIRT = { group: GROUP, versions: VERSIONS } as const;
const EVICTION = {
  path: '/pod-eviction-validate',
  kind: 'validating',
  group: '',
  versions: ['v1'],
  resources: ['pods/eviction'],
  operations: ['*'],
  hasSideEffects: true,
} as const;

/** All webhooks. Names and paths are those of KubeVirt, so that one can stand in the place of the other. */
export const WEBHOOK_ENDPOINTS: readonly WebhookEndpoint[] = [
  {
    ...KUBEVIRT,
    name: 'virtualmachines-mutator.kubevirt.io',
    path: '/virtualmachines-mutate',
    kind: 'mutating',
    resources: ['virtualmachines'],
    operations: ['CREATE', 'UPDATE'],
  },
  {
    ...KUBEVIRT,
    name: 'virtualmachineinstances-mutator.kubevirt.io',
    path: '/virtualmachineinstances-mutate',
    kind: 'mutating',
    resources: ['virtualmachineinstances'],
    operations: ['CREATE', 'UPDATE'],
  },
  {
    ...KUBEVIRT,
    name: 'migrations-mutator.kubevirt.io',
    path: '/migration-mutate-create',
    kind: 'mutating',
    resources: ['virtualmachineinstancemigrations'],
    operations: ['CREATE'],
  },
  {
    ...EVICTION,
    name: 'virt-launcher-eviction-interceptor.kubevirt.io',
    matchCondition: { name: 'only-vms', expression: 'object.metadata.name.startsWith("virt-launcher")' },
  },
  {
    ...EVICTION,
    name: 'hotplug-pod-eviction-interceptor.kubevirt.io',
    matchCondition: { name: 'only-hotplug-pods', expression: 'object.metadata.name.startsWith("hp-volume-")' },
  },
  {
    ...KUBEVIRT,
    name: 'virtualmachineinstances-create-validator.kubevirt.io',
    path: '/virtualmachineinstances-validate-create',
    kind: 'validating',
    resources: ['virtualmachineinstances'],
    operations: ['CREATE'],
  },
  {
    ...KUBEVIRT,
    name: 'virtualmachineinstances-update-validator.kubevirt.io',
    path: '/virtualmachineinstances-validate-update',
    kind: 'validating',
    resources: ['virtualmachineinstances'],
    operations: ['UPDATE'],
  },
  {
    ...KUBEVIRT,
    name: 'virtualmachine-validator.kubevirt.io',
    path: '/virtualmachines-validate',
    kind: 'validating',
    resources: ['virtualmachines'],
    operations: ['CREATE', 'UPDATE'],
  },
  {
    ...KUBEVIRT,
    name: 'virtualmachinereplicaset-validator.kubevirt.io',
    path: '/virtualmachinereplicaset-validate',
    kind: 'validating',
    resources: ['virtualmachineinstancereplicasets'],
    operations: ['CREATE', 'UPDATE'],
  },
  {
    name: 'virtualmachinepool-validator.kubevirt.io',
    path: '/virtualmachinepool-validate',
    kind: 'validating',
    group: 'pool.kubevirt.io',
    versions: ['v1alpha1', 'v1beta1'],
    resources: ['virtualmachinepools'],
    operations: ['CREATE', 'UPDATE'],
  },
  {
    ...KUBEVIRT,
    name: 'virtualmachinepreset-validator.kubevirt.io',
    path: '/vmipreset-validate',
    kind: 'validating',
    resources: ['virtualmachineinstancepresets'],
    operations: ['CREATE', 'UPDATE'],
  },
  {
    ...KUBEVIRT,
    name: 'migration-create-validator.kubevirt.io',
    path: '/migration-validate-create',
    kind: 'validating',
    resources: ['virtualmachineinstancemigrations'],
    operations: ['CREATE'],
  },
  {
    ...KUBEVIRT,
    name: 'migration-update-validator.kubevirt.io',
    path: '/migration-validate-update',
    kind: 'validating',
    resources: ['virtualmachineinstancemigrations'],
    operations: ['UPDATE'],
  },
  ...[
    'virtualmachineinstancetype',
    'virtualmachineclusterinstancetype',
    'virtualmachinepreference',
    'virtualmachineclusterpreference',
  ].map((singular) => instancetypeEndpoint(singular)),
  {
    name: 'migration-policy-validator.kubevirt.io',
    path: '/migration-policy-validate-create',
    kind: 'validating',
    group: 'migrations.kubevirt.io',
    versions: ['v1alpha1'],
    resources: ['migrationpolicies'],
    operations: ['CREATE', 'UPDATE'],
  },
  {
    ...KUBEVIRT,
    name: 'kubevirt-crd-status-validator.kubevirt.io',
    path: '/status-validate',
    kind: 'validating',
    resources: ['virtualmachines/status', 'virtualmachineinstancereplicasets/status'],
    operations: ['CREATE', 'UPDATE'],
  },
];

function instancetypeEndpoint(singular: string): WebhookEndpoint {
  const group = 'instancetype.kubevirt.io';
  return {
    name: `${singular}-validator.${group}`,
    path: `/${singular}s-validate`,
    kind: 'validating',
    group,
    versions: ['v1beta1'],
    resources: [`${singular}s`],
    operations: ['CREATE', 'UPDATE'],
  };
}
