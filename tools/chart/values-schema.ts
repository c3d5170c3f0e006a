import { isOpen, type ChartValue } from './chart-values.ts';

/** A JSON Schema, as far as it is used here. */
export type Schema = Readonly<Record<string, unknown>>;

const TEXT = { type: 'string' };
const NAMED = { type: 'object', required: ['name'], properties: { name: { type: 'string', minLength: 1 } } };
const QUANTITY = { type: 'string', pattern: '^[0-9]+([.][0-9]+)?([KMGTPE]i?|m)?$' };
const AMOUNTS = {
  type: 'object',
  additionalProperties: { anyOf: [QUANTITY, { type: 'number', minimum: 0 }] },
};
const NAMESPACE = { type: 'string', pattern: '^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$' };
const PORT = { type: 'integer', minimum: 1, maximum: 65_535 };
const DIRECTORY = { type: 'string', pattern: '^/.*[^/]$' };

/** The fields of that of a container, as far as they are for Linux. */
const SECURITY_CONTEXT = {
  allowPrivilegeEscalation: { type: 'boolean' },
  appArmorProfile: { type: 'object' },
  capabilities: { type: 'object' },
  privileged: { type: 'boolean' },
  procMount: TEXT,
  readOnlyRootFilesystem: { type: 'boolean' },
  runAsGroup: { type: 'integer' },
  runAsNonRoot: { type: 'boolean' },
  runAsUser: { type: 'integer' },
  seccompProfile: { type: 'object' },
  seLinuxOptions: { type: 'object' },
};

/** What is narrower than its default shows, by the whole path or by the last name. */
const NARROWER: Readonly<Record<string, Schema>> = {
  'image.registry': { type: 'string', minLength: 1 },
  'image.pullPolicy': { enum: ['IfNotPresent', 'Always', 'Never'] },
  'image.pullSecrets': { type: 'array', items: closed({ name: { type: 'string', minLength: 1 } }, ['name']) },
  'nodes.controlPlane': { enum: ['avoid', 'never', 'allow'] },
  'compute.kind': { enum: ['virtual-machines', 'openstack'] },
  'certificates.source': { enum: ['self', 'cert-manager'] },
  'libvirt.transport': { enum: ['tls', 'tcp'] },
  'libvirt.certificates.source': { enum: ['self', 'cert-manager', 'nodes', 'none'] },
  'libvirt.certificates.namespace': NAMESPACE,
  'haService.store.kind': { enum: ['sqlite', 'postgres'] },
  'haService.store.sqlite.size': QUANTITY,
  'haService.secrets': {
    type: 'array',
    items: closed({ name: NAMESPACE, secret: { type: 'string', minLength: 1 } }, ['name', 'secret']),
  },
  'console.apiServerPorts': { type: 'array', items: PORT, minItems: 1 },
  'logs.outputs': { type: 'array', items: NAMED, minItems: 1 },
  'monitoring.serviceMonitors.interval': { type: 'string', pattern: '^[0-9]+(ms|s|m|h)$' },
  'monitoring.rules.runbookUrl': { type: 'string', pattern: '^(https?://[^ ]+)?$' },
  repository: { type: 'string', minLength: 1 },
  digest: { type: 'string', pattern: '^(sha256:[0-9a-f]{64})?$' },
  replicas: { type: 'integer', minimum: 1 },
  port: PORT,
  troubleshootingPort: PORT,
  nodeApiPort: PORT,
  maxUnavailable: { type: ['string', 'integer'], pattern: '^[0-9]+%?$', minimum: 1 },
  agentNamespaces: { type: 'array', items: NAMESPACE },
  origins: { type: 'array', items: { type: 'string', pattern: '^https?://[^/]+$' } },
  units: { type: 'array', items: { type: 'string', minLength: 1 } },
  kubeletDirectory: DIRECTORY,
  runtimeDirectories: { type: 'array', items: DIRECTORY },
  extraArgs: { type: 'array', items: { type: 'string', pattern: '^-' } },
  extraEnv: { type: 'array', items: NAMED },
  extraVolumes: { type: 'array', items: NAMED },
  extraVolumeMounts: {
    type: 'array',
    items: { ...NAMED, required: ['name', 'mountPath'] },
  },
  metricsFrom: { type: 'array', items: { type: 'object', minProperties: 1 } },
  tolerations: { type: 'array', items: { type: 'object' } },
  topologySpreadConstraints: { type: 'array', items: { type: 'object' } },
  resources: closed({ requests: AMOUNTS, limits: AMOUNTS, claims: { type: 'array' } }, []),
  securityContext: closed(SECURITY_CONTEXT, []),
  labels: { type: 'object', additionalProperties: TEXT },
  selector: { type: 'object', additionalProperties: TEXT },
  nodeSelector: { type: 'object', additionalProperties: TEXT },
  podAnnotations: { type: 'object', additionalProperties: TEXT },
  podLabels: { type: 'object', additionalProperties: TEXT },
  annotations: { type: 'object', additionalProperties: TEXT },
};

interface SchemaTree {
  readonly [name: string]: ChartValue | SchemaTree;
}

/** The schema of `values.yaml`: nothing that is not in it can be set, so that a typo is refused by its name. */
export function valuesSchema(values: readonly ChartValue[]): Schema {
  return {
    $schema: 'http://json-schema.org/draft-07/schema#',
    title: 'Values of the chart smalt',
    ...mapSchema(treeOf(values)),
    // What the values of a chart above this one have for all charts.
    properties: { ...propertiesOf(treeOf(values)), global: { type: 'object' } },
  };
}

function treeOf(values: readonly ChartValue[]): SchemaTree {
  const groups = new Map<string, ChartValue[]>();
  for (const value of values) {
    const [name = '', ...rest] = value.path.split('.');
    groups.set(name, [...(groups.get(name) ?? []), { ...value, path: rest.join('.') }]);
  }
  const entries = [...groups].map(([name, below]): [string, ChartValue | SchemaTree] => {
    const [first] = below;
    return [name, first !== undefined && first.path === '' ? first : treeOf(below)];
  });
  return Object.fromEntries(entries);
}

function mapSchema(tree: SchemaTree, path = ''): Schema {
  return { type: 'object', additionalProperties: false, properties: propertiesOf(tree, path) };
}

function propertiesOf(tree: SchemaTree, path = ''): Schema {
  const entries = Object.entries(tree).map(([name, node]) => {
    const full = path === '' ? name : `${path}.${name}`;
    return [name, isValue(node) ? valueSchema(full, name, node) : mapSchema(node, full)];
  });
  return Object.fromEntries(entries);
}

function isValue(node: ChartValue | SchemaTree): node is ChartValue {
  return 'meaning' in node && typeof node.meaning === 'string';
}

function valueSchema(path: string, name: string, { default: standard, meaning }: ChartValue): Schema {
  const schema = NARROWER[path] ?? NARROWER[name] ?? plainSchema(name, standard);
  return meaning === '' ? schema : { description: meaning, ...schema };
}

function plainSchema(name: string, standard: unknown): Schema {
  if (Array.isArray(standard)) return { type: 'array' };
  if (isOpen(name)) return { type: 'object' };
  if (typeof standard === 'number') return { type: 'integer' };
  return { type: typeof standard };
}

function closed(properties: Schema, required: readonly string[]): Schema {
  return { type: 'object', additionalProperties: false, required, properties };
}
