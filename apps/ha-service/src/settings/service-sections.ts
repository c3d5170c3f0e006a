import type {
  ApiSettings,
  ClientCertificateSettings,
  ComputeSettings,
  HaServiceSettings,
  KubernetesSettings,
  LogSettings,
  RetentionSettings,
  StoreSettings,
  TlsSettings,
  ToldAuthoritySettings,
  WebhookSettings,
} from './ha-service-settings.ts';
import { JournalKind } from '../ports/incident-store.ts';
import { list } from './shape/list-shapes.ts';
import { section } from './shape/object-shape.ts';
import { choice, file, flag, milliseconds, text, whole } from './shape/scalar-shapes.ts';
import { optional, type Shape } from './shape/shape.ts';
import { variant } from './shape/variant-shape.ts';

const DAY_MS = 86_400_000;

export const tlsSection: Shape<TlsSettings> = section('the identity of the service', {
  certificateFile: file('its certificate and those between it and the authority, in PEM; read anew when it changes'),
  keyFile: file('the key of the certificate, in PEM; read anew when it changes'),
  authority: optional(
    section<ToldAuthoritySettings>('who signed the certificate, for agents to find', {
      file: file('in PEM; read anew when it changes'),
      configMap: text('a ConfigMap beside the Lease, which has to be there: it is told in ca.crt of it'),
    }),
  ),
});

export const kubernetesSection: Shape<KubernetesSettings> = section('the cluster that the hosts are nodes of', {
  kubeconfig: text(
    'how to reach the API server; empty: KUBECONFIG, ~/.kube/config, or the service account of the pod',
    {
      fallback: '',
    },
  ),
  leaseNamespace: text('where the Lease lives by which one of several replicas leads; empty: that of the pod', {
    fallback: '',
  }),
  leaseName: text('the name of that Lease', { fallback: 'smalt-ha-service' }),
  audience: text('whom tokens of persons and agents have to be made for; empty: the API server itself', {
    fallback: 'smalt-ha-service',
  }),
});

export const storeSection: Shape<StoreSettings> = variant<StoreSettings>('what outlives the process', 'kind', {
  sqlite: section<Extract<StoreSettings, { kind: 'sqlite' }>>('one replica', {
    kind: choice(['sqlite'], 'a file of this machine'),
    path: file('where that file is; its directory has to be there'),
  }),
  postgres: section<Extract<StoreSettings, { kind: 'postgres' }>>('several replicas', {
    kind: choice(['postgres'], 'a PostgreSQL that all replicas share'),
    urlFile: file('a file with its URL, such as postgres://user:password@host/database'),
    authorityFile: optional(file('who signs its certificate, in PEM')),
  }),
});

export const computeSection: Shape<ComputeSettings> = section('the system that runs the instances', {
  kind: choice(
    ['openstack', 'virtual-machines'],
    'what it is: an OpenStack, or the VirtualMachines of this cluster, for which nothing else here counts',
    'openstack',
  ),
  cloud: text('which cloud of clouds.yaml; empty: OS_CLOUD, else the OS_* variables', { fallback: '' }),
  cloudsFile: file('a clouds.yaml to use and no other; empty: where the tools of OpenStack look for it', ''),
  allowsInsecure: flag('accept a cloud whose settings say that its certificate is not to be checked', false),
  timeoutMs: milliseconds('how long one attempt at a request may take', 30_000, 1),
  attempts: whole('how often a request is tried where that cannot harm', { fallback: 3, least: 1 }),
  mostRequests: whole('how many requests are under way at a time', { fallback: 16, least: 1 }),
});

const certificateSection: Shape<ClientCertificateSettings> = section('persons and programs by their certificates', {
  authorityFile: file('who signs them, in PEM: never the one that signs those of agents; empty: they do not count', ''),
  viewers: list('common names of those who may look', text('a common name')),
  operators: list('common names of those who may act as well', text('a common name')),
});

export const apiSection: Shape<ApiSettings> = section('who may use the REST API', {
  tokensFile: file('bearer tokens with names and roles; read anew when it changes; empty for none', ''),
  clientCertificates: certificateSection,
  asksKubernetes: flag('let tokens of the cluster in, by TokenReview and SubjectAccessReview', true),
  allowsAnonymousSwitch: flag(
    'take POST /api/hypervisors/<host> without a token, as old operators send it; guard it by the network then',
    false,
  ),
  asksLeader: flag('have the replica that leads answer what another one is asked, with the token of the caller', true),
  ownHost: text(
    'the name or address by which other replicas reach this one; empty: that of listen, or of a machine with one interface',
    {
      fallback: '',
      pattern: /^(?:[\w.-]+|[0-9a-fA-F:]+)?$/,
      what: 'a name or an address, without a port',
    },
  ),
  timeoutMs: milliseconds('how long one request may take', 15_000, 100),
  requestsPerSecond: whole('how many requests one caller may make in a second', { fallback: 20, least: 1 }),
  requestsPerSecondOfAddress: whole('how many may come from one address, before it is known who asks', {
    fallback: 500,
    least: 1,
  }),
});

const webhookSection: Shape<WebhookSettings> = section('somebody who is told', {
  name: text('a name for metrics and for the place in the journal', {
    pattern: /^[a-z0-9][a-z0-9-]{0,62}$/,
    what: 'small letters, digits and dashes',
  }),
  url: text('where to post to', { pattern: /^https:\/\/[^@\s]+$/, what: 'an https address without a password in it' }),
  secretFile: file('the secret by which what is sent is signed'),
  kinds: list('only these kinds of entries; all if it is empty', choice(Object.values(JournalKind), 'a kind of entry')),
  leastSeverity: choice(['info', 'warning', 'critical'], 'only what is at least this severe', 'info'),
  authorityFile: optional(file('who signs its certificate, where the authorities of this system do not')),
  timeoutMs: milliseconds('how long it may take to answer', 10_000, 100),
});

export const webhooksSection: Shape<HaServiceSettings['webhooks']> = list(
  'who is told of what happens',
  webhookSection,
);

export const retentionSection: Shape<RetentionSettings> = section('how long what is over is kept', {
  eventsMs: milliseconds('events of instances', 7 * DAY_MS, 60_000),
  journalMs: milliseconds('the journal', 365 * DAY_MS, DAY_MS),
  incidentsMs: milliseconds('incidents that are over', 365 * DAY_MS, DAY_MS),
  intervalMs: milliseconds('how often to clear away', 3_600_000, 1_000),
});

export const paceSection: Shape<HaServiceSettings['pace']> = section('how often the leader looks', {
  lookIntervalMs: milliseconds('how often hosts are judged', 1_000, 100),
  refreshIntervalMs: milliseconds('how often the compute system is asked for all hosts', 15_000, 1_000),
  followIntervalMs: milliseconds('how often it is asked how evacuations stand', 2_000, 100),
  serviceDownMs: milliseconds('service_down_time of the compute system', 60_000, 1_000),
  callTimeoutMs: milliseconds('how long one call to another system may take', 30_000, 1_000),
});

export const logSection: Shape<LogSettings> = section('what is written to the standard error', {
  level: choice(['debug', 'info', 'warn', 'error', 'silent'], 'what is worth a line', 'info'),
  format: choice(['json', 'pretty'], 'for programs or for people', 'json'),
});
