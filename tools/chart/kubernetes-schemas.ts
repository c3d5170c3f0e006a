/** A JSON Schema, as far as it is used here. Patterns are read by Go as well, which cannot look ahead. */
export type Schema = Readonly<Record<string, unknown>>;

const TEXT: Schema = { type: 'string' };

const LABEL = '[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?';
const NAME = '[a-z0-9]([a-z0-9-]*[a-z0-9])?([.][a-z0-9]([a-z0-9-]*[a-z0-9])?)*';
const NUMBER = '([0-9]+([.][0-9]*)?|[.][0-9]+)';
const BYTE_SUFFIX = '([eE][+-]?[0-9]+|[kMGTPE]|[KMGTPE]i)?';

/** The name of a namespace or of a volume. */
export const LABEL_NAME: Schema = text(LABEL);
/** The name of an object of nearly every kind, or of a host. */
export const OBJECT_NAME: Schema = { ...text(NAME), maxLength: 253 };
export const OPTIONAL_LABEL_NAME: Schema = text(`(${LABEL})?`);
export const OPTIONAL_NAME: Schema = { ...text(`(${NAME})?`), maxLength: 253 };
export const PORT: Schema = { type: 'integer', minimum: 1, maximum: 65_535 };
/** Of a pod that is not root, on the network of its node perhaps. */
export const HIGH_PORT: Schema = { type: 'integer', minimum: 1024, maximum: 65_535 };

const OF_NODE = '[$][(](HOST_IP|NODE_NAME)[)]';
/** An address or a name, perhaps made of what Kubernetes knows of a node. */
export const OPTIONAL_NODE_ADDRESS: Schema = text(`([A-Za-z0-9.:_-]|${OF_NODE})*`);

/** A socket of the node, or a host; the rest is the driver's. IPv6 addresses stand in brackets. */
const URI_HOST = `(([A-Za-z0-9.-]|${OF_NODE})+|\\[([0-9A-Fa-f:]|${OF_NODE})+\\])(:[0-9]{1,5})?`;
export const OPTIONAL_LIBVIRT_URI: Schema = text(
  `([a-z]+([+]unix)?:///[^ ]*|[a-z]+([+](tcp|tls))?://${URI_HOST}/[^ ]*)?`,
);

/** As Kubernetes reads it: `128k` and `128Ki`, and no `128K`. */
export const QUANTITY: Schema = text(`${NUMBER}([eE][+-]?[0-9]+|[numkMGTPE]|[KMGTPE]i)?`);
/** Of something that is counted in bytes: `128m` would be an eighth of one. */
export const BYTES: Schema = text(`${NUMBER}${BYTE_SUFFIX}`);
/** More than nothing. */
export const SOME_BYTES: Schema = text(`([1-9][0-9]*([.][0-9]*)?|0*[.]0*[1-9][0-9]*)${BYTE_SUFFIX}`);

/** Of a DaemonSet: a number of nodes, or a part of them that is more than none. */
export const MAX_UNAVAILABLE: Schema = {
  type: ['string', 'integer'],
  pattern: '^([1-9][0-9]*|([1-9][0-9]?|100)%)$',
  minimum: 1,
};

/** Five fields, or a word for them. A time zone is a field of its own in a CronJob. */
export const CRON_SCHEDULE: Schema = text(
  '@(yearly|annually|monthly|weekly|daily|midnight|hourly)|@every [0-9hms]+|[0-9A-Za-z*?/,-]+( [0-9A-Za-z*?/,-]+){4}',
);

const PATH_PART = '[a-z0-9]+(([.]|_|__|-+)[a-z0-9]+)*';
const REGISTRY_HOST = '([A-Za-z0-9]([A-Za-z0-9.-]*[A-Za-z0-9])?|\\[[0-9a-fA-F:]+\\])(:[0-9]+)?';
/** A registry and perhaps a path in it, without `https://`. */
export const REGISTRY: Schema = text(`${REGISTRY_HOST}(/${PATH_PART})*/?`);
/** What follows the registry. */
export const REPOSITORY: Schema = text(`${PATH_PART}(/${PATH_PART})*`);
/** With its registry. */
export const WHOLE_REPOSITORY: Schema = text(`(${REGISTRY_HOST}/)?${PATH_PART}(/${PATH_PART})*`);
export const OPTIONAL_TAG: Schema = text('([A-Za-z0-9_][A-Za-z0-9_.-]{0,127})?');
export const OPTIONAL_DIGEST: Schema = text('(sha256:[0-9a-f]{64})?');

/** Of a node; it is mounted at the same path. */
export const DIRECTORY: Schema = { ...text('(/[^/:]+)+'), not: { pattern: '/[.][.](/|$)' } };

/**
 * Where browsers open a page over TLS, as they name it themselves. With the port of https said they would not, and the console
 * takes no other.
 */
export const HTTPS_ORIGIN: Schema = {
  ...text(`https://(${NAME}|\\[[0-9a-f:.]+\\])(:[1-9][0-9]{0,4})?`),
  not: { pattern: ':443$' },
};

const LEFT_OUT = 'left out, for the chart gives this one itself: take a key of your own';
const LABEL_KEY = `(${NAME}/)?[A-Za-z0-9]([A-Za-z0-9_.-]{0,61}[A-Za-z0-9])?`;
/** May be empty. */
export const LABEL_VALUE: Schema = { ...text('([A-Za-z0-9]([A-Za-z0-9_.-]*[A-Za-z0-9])?)?'), maxLength: 63 };

/** Labels that anybody may set: of nodes, or those that others look for. */
export const LABELS: Schema = map(LABEL_KEY, LABEL_VALUE);
export const ANNOTATIONS: Schema = map(LABEL_KEY, TEXT);

/** The same without keys that the chart gives to its objects itself. Helm shows the sentence to who gives one. */
export function without(keys: string, schema: Schema): Schema {
  const { patternProperties } = schema;
  return { ...schema, patternProperties: { ...Object(patternProperties), [keys]: { const: LEFT_OUT } } };
}

/** Nothing but these fields. */
export function closed(properties: Schema, required: readonly string[] = []): Schema {
  return { type: 'object', additionalProperties: false, required, properties };
}

export function listOf(items: Schema): Schema {
  return { type: 'array', items };
}

export const AMOUNT: Schema = amount(QUANTITY);
export const BYTE_AMOUNT: Schema = amount(BYTES);
/** By the name of a resource. */
export const AMOUNTS: Schema = {
  type: 'object',
  properties: { memory: BYTE_AMOUNT, 'ephemeral-storage': BYTE_AMOUNT },
  additionalProperties: AMOUNT,
};
export const RESOURCES: Schema = closed({ requests: AMOUNTS, limits: AMOUNTS, claims: { type: 'array' } });

/** Of AppArmor, or of seccomp. */
export const PROFILE: Schema = closed(
  { type: { enum: ['RuntimeDefault', 'Unconfined', 'Localhost'] }, localhostProfile: TEXT },
  ['type'],
);
const SWITCH = { type: 'boolean' };
const ACCOUNT = { type: 'integer', minimum: 0 };

/** The fields of that of a container, as far as they are for Linux. */
export const SECURITY_CONTEXT: Schema = closed({
  allowPrivilegeEscalation: SWITCH,
  appArmorProfile: PROFILE,
  capabilities: closed({ add: listOf(TEXT), drop: listOf(TEXT) }),
  privileged: SWITCH,
  procMount: { enum: ['Default', 'Unmasked'] },
  readOnlyRootFilesystem: SWITCH,
  runAsGroup: ACCOUNT,
  runAsNonRoot: SWITCH,
  runAsUser: ACCOUNT,
  seccompProfile: PROFILE,
  seLinuxOptions: closed({ level: TEXT, role: TEXT, type: TEXT, user: TEXT }),
});

export const TOLERATIONS: Schema = listOf(
  closed({
    key: TEXT,
    operator: { enum: ['Exists', 'Equal', 'Lt', 'Gt'] },
    value: TEXT,
    effect: { enum: ['', 'NoSchedule', 'PreferNoSchedule', 'NoExecute'] },
    tolerationSeconds: { type: 'integer' },
  }),
);

const IP_ADDRESS = text('[0-9]+([.][0-9]+){3}|[0-9A-Fa-f]*:[0-9A-Fa-f:.]*');
export const HOST_ALIASES: Schema = listOf(
  closed({ ip: IP_ADDRESS, hostnames: { ...listOf(OBJECT_NAME), minItems: 1 } }, ['ip', 'hostnames']),
);
export const DNS_CONFIG: Schema = closed({
  nameservers: { ...listOf(IP_ADDRESS), maxItems: 3 },
  searches: listOf(TEXT),
  options: listOf(closed({ name: { type: 'string', minLength: 1 }, value: TEXT }, ['name'])),
});
export const SERVICE_TYPE: Schema = { enum: ['ClusterIP', 'NodePort', 'LoadBalancer'] };
/** As it stands in a certificate: no port, no brackets. */
export const HOST: Schema = { ...text(`${NAME}|[0-9A-Fa-f:]+`), maxLength: 253 };

/** Of objects by their labels. */
export const SELECTOR: Schema = closed({ matchLabels: LABELS, matchExpressions: { type: 'array' } });
const IS_HONORED = { enum: ['Honor', 'Ignore'] };
export const SPREAD: Schema = listOf(
  closed(
    {
      maxSkew: { type: 'integer', minimum: 1 },
      topologyKey: { type: 'string', minLength: 1 },
      whenUnsatisfiable: { enum: ['DoNotSchedule', 'ScheduleAnyway'] },
      labelSelector: SELECTOR,
      matchLabelKeys: listOf(TEXT),
      minDomains: { type: 'integer', minimum: 1 },
      nodeAffinityPolicy: IS_HONORED,
      nodeTaintsPolicy: IS_HONORED,
    },
    ['maxSkew', 'topologyKey', 'whenUnsatisfiable'],
  ),
);
const KIND_OF_AFFINITY = { type: 'object' };
export const AFFINITY: Schema = closed({
  nodeAffinity: KIND_OF_AFFINITY,
  podAffinity: KIND_OF_AFFINITY,
  podAntiAffinity: KIND_OF_AFFINITY,
});

/** Peers of a NetworkPolicy: addresses, or pods. */
export const PEERS: Schema = listOf({
  ...closed({ podSelector: SELECTOR, namespaceSelector: SELECTOR, ipBlock: { type: 'object' } }),
  minProperties: 1,
  anyOf: [{ maxProperties: 1 }, { not: { required: ['ipBlock'] } }],
});

export const VARIABLES: Schema = listOf({
  ...closed({ name: text('[^=]+'), value: TEXT, valueFrom: { type: 'object' } }, ['name']),
  not: { required: ['value', 'valueFrom'] },
});
/** A name, and where it comes from. */
export const VOLUMES: Schema = listOf({
  type: 'object',
  required: ['name'],
  properties: { name: LABEL_NAME },
  maxProperties: 2,
});
export const MOUNTS: Schema = listOf(
  closed(
    {
      name: LABEL_NAME,
      mountPath: text('/[^:]*'),
      mountPropagation: { enum: ['None', 'HostToContainer', 'Bidirectional'] },
      readOnly: SWITCH,
      recursiveReadOnly: { enum: ['Disabled', 'IfPossible', 'Enabled'] },
      subPath: TEXT,
      subPathExpr: TEXT,
    },
    ['name', 'mountPath'],
  ),
);

function text(pattern: string): { readonly type: 'string'; readonly pattern: string } {
  return { type: 'string', pattern: `^(${pattern})$` };
}

function map(key: string, values: Schema): Schema {
  return { type: 'object', patternProperties: { [`^(${key})$`]: values }, additionalProperties: false };
}

function amount(quantity: Schema): Schema {
  return { anyOf: [quantity, { type: 'number', minimum: 0 }] };
}
