import { isOpen, type ChartValue } from './chart-values.ts';
import {
  AFFINITY,
  AMOUNT,
  AMOUNTS,
  ANNOTATIONS,
  BYTE_AMOUNT,
  closed,
  CRON_SCHEDULE,
  DIRECTORY,
  DNS_CONFIG,
  HIGH_PORT,
  HOST,
  HOST_ALIASES,
  HTTPS_ORIGIN,
  LABEL_NAME,
  LABEL_VALUE,
  LABELS,
  listOf,
  MAX_UNAVAILABLE,
  MOUNTS,
  OBJECT_NAME,
  OPTIONAL_DIGEST,
  OPTIONAL_LABEL_NAME,
  OPTIONAL_LIBVIRT_URI,
  OPTIONAL_NAME,
  OPTIONAL_NODE_ADDRESS,
  OPTIONAL_TAG,
  PEERS,
  PORT,
  PROFILE,
  REGISTRY,
  REPOSITORY,
  RESOURCES,
  SECURITY_CONTEXT,
  SELECTOR,
  SERVICE_TYPE,
  SOME_BYTES,
  SPREAD,
  TOLERATIONS,
  VARIABLES,
  VOLUMES,
  WHOLE_REPOSITORY,
  without,
  type Schema,
} from './kubernetes-schemas.ts';
import { REPORT_FILTERS, REPORTS } from './report-schema.ts';
import { shareSchemas } from './share-schemas.ts';

/** Keys of labels that the chart, Helm and the programs give: selectors, policies and Helm itself go by them. */
const OWN_LABELS = '^((app[.]kubernetes[.]io|helm[.]sh|smalt[.]dev)/|kubevirt[.]io(/|$))';
/** Annotations that pods have of the chart. */
const OWN_ANNOTATIONS = '^(checksum/config|kubectl[.]kubernetes[.]io/default-container)$';
const FREE_LABELS = without(OWN_LABELS, LABELS);
const POD_ANNOTATIONS = without(OWN_ANNOTATIONS, ANNOTATIONS);
/** Of the part that it stands in, from the registry of all. */
const IMAGE = {
  type: 'object',
  additionalProperties: false,
  properties: { repository: REPOSITORY, tag: OPTIONAL_TAG, digest: OPTIONAL_DIGEST },
};
/** `secret-` before it makes the name of a volume. */
const SECRET_NAME = { ...LABEL_NAME, maxLength: 56 };

/** What is narrower than its default shows, by the whole path or by the last name. */
const NARROWER: Readonly<Record<string, Schema>> = {
  'image.registry': REGISTRY,
  'image.pullPolicy': { enum: ['IfNotPresent', 'Always', 'Never'] },
  'image.pullSecrets': listOf(closed({ name: OBJECT_NAME }, ['name'])),
  labels: FREE_LABELS,
  'nodes.controlPlane': { enum: ['avoid', 'never', 'allow'] },
  'compute.kind': { enum: ['virtual-machines', 'openstack'] },
  'compute.openstack.secret': OPTIONAL_NAME,
  'certificates.source': { enum: ['self', 'cert-manager'] },
  'certificates.schedule': CRON_SCHEDULE,
  'libvirt.uri': OPTIONAL_LIBVIRT_URI,
  'libvirt.transport': { enum: ['tls', 'tcp'] },
  'libvirt.certificates.source': { enum: ['self', 'cert-manager', 'nodes', 'none'] },
  'libvirt.certificates.namespace': LABEL_NAME,
  'libvirt.managed.listenAddress': OPTIONAL_NODE_ADDRESS,
  'haService.store.kind': { enum: ['sqlite', 'postgres'] },
  'haService.store.sqlite.size': SOME_BYTES,
  'haService.store.sqlite.storageClass': OPTIONAL_NAME,
  'haService.store.sqlite.existingClaim': OPTIONAL_NAME,
  'haService.store.postgres.secret': OPTIONAL_NAME,
  'haService.secrets': listOf(closed({ name: SECRET_NAME, secret: OBJECT_NAME }, ['name', 'secret'])),
  'haService.service.type': SERVICE_TYPE,
  'haService.service.names': listOf(HOST),
  'console.service.type': SERVICE_TYPE,
  'virtApi.port': HIGH_PORT,
  'virtApi.metricsPort': HIGH_PORT,
  'console.apiServerPorts': { type: 'array', items: PORT, minItems: 1 },
  'console.ingress.className': OPTIONAL_NAME,
  'console.ingress.host': OPTIONAL_NAME,
  'console.ingress.tlsSecret': OPTIONAL_NAME,
  'logs.image.repository': WHOLE_REPOSITORY,
  'logs.outputs': {
    type: 'array',
    items: { type: 'object', required: ['name'], properties: { name: { type: 'string', minLength: 1 } } },
    minItems: 1,
  },
  'monitoring.serviceMonitors.interval': { type: 'string', pattern: '^[1-9][0-9]*(ms|s|m|h)$' },
  // Those by which others find what is to be read: whatever they look for.
  'monitoring.serviceMonitors.labels': LABELS,
  'monitoring.rules.labels': LABELS,
  'monitoring.dashboards.labels': LABELS,
  'monitoring.rules.runbookUrl': { type: 'string', pattern: '^(https?://[^ ]+)?$' },
  repository: REPOSITORY,
  tag: OPTIONAL_TAG,
  digest: OPTIONAL_DIGEST,
  // Of an issuer.
  name: OPTIONAL_NAME,
  kind: { type: 'string', pattern: '^[A-Z][A-Za-z0-9]*$' },
  group: OBJECT_NAME,
  replicas: { type: 'integer', minimum: 1 },
  port: PORT,
  troubleshootingPort: PORT,
  nodeApiPort: PORT,
  maxUnavailable: MAX_UNAVAILABLE,
  namespace: OPTIONAL_LABEL_NAME,
  agentNamespaces: listOf(LABEL_NAME),
  origins: listOf(HTTPS_ORIGIN),
  units: listOf({ type: 'string', minLength: 1 }),
  kubeletDirectory: DIRECTORY,
  runtimeDirectories: { ...listOf(DIRECTORY), uniqueItems: true },
  priorityClassName: OPTIONAL_NAME,
  extraArgs: listOf({ type: 'string', pattern: '^-' }),
  extraEnv: VARIABLES,
  extraVolumes: VOLUMES,
  extraVolumeMounts: MOUNTS,
  metricsFrom: PEERS,
  reports: REPORTS,
  haReports: REPORTS,
  tolerations: TOLERATIONS,
  topologySpreadConstraints: SPREAD,
  affinity: AFFINITY,
  resources: RESOURCES,
  securityContext: SECURITY_CONTEXT,
  selector: LABELS,
  nodeSelector: LABELS,
  podAnnotations: POD_ANNOTATIONS,
  podLabels: FREE_LABELS,
  annotations: ANNOTATIONS,
  hostAliases: HOST_ALIASES,
  dnsConfig: DNS_CONFIG,
};

/** What many parts have, told once. */
const SHARED: Readonly<Record<string, Schema>> = {
  affinity: AFFINITY,
  amount: AMOUNT,
  amounts: AMOUNTS,
  annotations: ANNOTATIONS,
  byteAmount: BYTE_AMOUNT,
  digest: OPTIONAL_DIGEST,
  dnsConfig: DNS_CONFIG,
  hostAliases: HOST_ALIASES,
  image: IMAGE,
  labels: LABELS,
  labelName: LABEL_NAME,
  labelSelector: SELECTOR,
  labelValue: LABEL_VALUE,
  maxUnavailable: MAX_UNAVAILABLE,
  mounts: MOUNTS,
  objectName: OBJECT_NAME,
  optionalName: OPTIONAL_NAME,
  ownLabels: FREE_LABELS,
  peers: PEERS,
  podAnnotations: POD_ANNOTATIONS,
  profile: PROFILE,
  reports: REPORTS,
  reportFilters: REPORT_FILTERS,
  resources: RESOURCES,
  securityContext: SECURITY_CONTEXT,
  tag: OPTIONAL_TAG,
  tolerations: TOLERATIONS,
  topologySpreadConstraints: SPREAD,
  variables: VARIABLES,
  volumes: VOLUMES,
};

interface SchemaTree {
  readonly [name: string]: ChartValue | SchemaTree;
}

/** The schema of `values.yaml`: nothing that is not in it can be set, so that a typo is refused by its name. */
export function valuesSchema(values: readonly ChartValue[]): Schema {
  const schema = {
    $schema: 'http://json-schema.org/draft-07/schema#',
    title: 'Values of the chart smalt',
    ...mapSchema(treeOf(values)),
    // What the values of a chart above this one have for all charts.
    properties: { ...propertiesOf(treeOf(values)), global: { type: 'object' } },
  };
  return shareSchemas(schema, SHARED);
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
