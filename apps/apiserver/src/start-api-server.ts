import { mkdir } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';

import type { Status } from '@smalt/kubernetes';
import { builtInResources } from '@smalt/kubernetes-api';

import { accessHandlers } from './assembly/access-handlers.ts';
import { auditRequests } from './assembly/audit-requests.ts';
import { requestAuthentication } from './assembly/authenticate-request.ts';
import { buildAdmission } from './assembly/build-admission.ts';
import { buildApi } from './assembly/build-api.ts';
import { ensureNamespaces } from './assembly/ensure-namespaces.ts';
import { identityHandlers } from './assembly/identity-handlers.ts';
import { observeServer } from './assembly/observe-server.ts';
import { openAudit, type Audit } from './assembly/open-audit.ts';
import { registryPolicyAccess } from './assembly/registry-policy-access.ts';
import { controllerDependencies, startControllers } from './assembly/start-controllers.ts';
import { workloadHandlers } from './assembly/workload-handlers.ts';
import type { AdmissionChain } from './admission/admission-chain.ts';
import type { AggregatedApis } from './aggregation/aggregated-apis.ts';
import { AUDIT_GROUP, AUDIT_VERSION, auditApi } from './audit/serve-audit-trail.ts';
import { ensureDefaultPolicy } from './authorization/ensure-default-policy.ts';
import { followPolicy } from './authorization/follow-policy.ts';
import { PolicyIndex } from './authorization/policy-index.ts';
import { RbacAuthorizer } from './authorization/rbac-authorizer.ts';
import { RoleAggregation } from './authorization/role-aggregation.ts';
import { backupAction } from './backup/serve-backup.ts';
import { Catalog } from './catalog/catalog.ts';
import { CustomResourceDefinitions } from './custom-resources/definitions.ts';
import { statusErrorOf } from './errors/status-error.ts';
import type { ApiHandler } from './http/api-handler.ts';
import { BACKUP_PATH } from './http/backup-path.ts';
import { Listener, type ServingCertificate } from './http/listen.ts';
import { RequestAuthenticator } from './identity/authenticator.ts';
import { openidConfiguration, publicKeySet } from './identity/issuer-documents.ts';
import { TokenSigner } from './identity/json-web-token.ts';
import { keepCertificatesCurrent } from './identity/renew-certificates.ts';
import { ADMIN_USER, openServerIdentity, type ServerIdentity } from './identity/server-identity.ts';
import { ServiceAccountTokens } from './identity/service-account-tokens.ts';
import { StaticTokens } from './identity/static-tokens.ts';
import { KubeletAccess } from './kubelet/kubelet-access.ts';
import { serveLog } from './kubelet/pod-log.ts';
import { podStreams } from './kubelet/pod-streams.ts';
import { DEFAULT_LIMITS, type ApiServerOptions } from './options.ts';
import { Registry } from './registry/registry.ts';
import { openStore, type Store } from './store/store.ts';

/** Who signs the tokens of service accounts, and whom they are for unless they say otherwise. */
const ISSUER = 'https://kubernetes.default.svc.cluster.local';

/** A server that takes requests. Disposing of it lets requests finish, ends watches and closes the store. */
export interface ApiServer extends AsyncDisposable {
  readonly url: string;
  readonly port: number;
  /** The certificate of the authority that vouches for the server, in PEM form. */
  readonly ca: string;
  readonly adminToken: string;
  /** The path of a kubeconfig with which one may do everything. */
  readonly kubeconfig: string;
  /** Lets components of this process have a say in writes, without a webhook. */
  readonly admission: Pick<AdmissionChain, 'add'>;
  /** Lets components of this process serve groups of their own, without an APIService. */
  readonly apis: Pick<AggregatedApis, 'registerApi'>;
  /** The error by which such components refuse a request: the client is told this Status. */
  readonly refusal: (status: Status) => Error;
}

/** Starts a server, and resolves when it is ready. The signal gives the start up; a started server is disposed of. */
export async function startApiServer(options: ApiServerOptions, signal: AbortSignal): Promise<ApiServer> {
  await using stack = new AsyncDisposableStack();
  await mkdir(options.dataDirectory, { recursive: true, mode: 0o700 });
  // The store comes first: only one server can have it open, and the other must not have touched anything by then.
  const state = openState(options, stack);
  const identity = await openIdentity(options);
  const audit = stack.use(await openAudit(options));
  const stopping = new AbortController();
  stack.defer(() => stopping.abort());
  await prepareState(state, options, stack, signal);
  const loops = await startLoops(options, state, identity, stack);
  stack.defer(loops.foreign.registerApi(AUDIT_GROUP, AUDIT_VERSION, auditApi(audit.trail)));
  const whereabouts = { address: '' };
  const served = { ...state, ...loops, identity, audit, whereabouts, stopping: stopping.signal };
  const handler = makeHandler(options, served);
  const listener = await listen(options, identity, handler, stack);
  whereabouts.address = `${reachableHost(options.listen.host)}:${listener.port}`;
  const url = `https://${whereabouts.address}`;
  const kubeconfig = await identity.writeKubeconfig(url);
  const owned = stack.move();
  return {
    url,
    port: listener.port,
    ca: identity.authority.certificate,
    adminToken: identity.adminToken,
    kubeconfig,
    admission: state.plugged,
    apis: loops.foreign,
    refusal: statusErrorOf,
    [Symbol.asyncDispose]: () => {
      stopping.abort();
      return owned.disposeAsync();
    },
  };
}

// A server that listens on every address is asked for on this machine by that of the loopback.
function reachableHost(host: string): string {
  if (host === '0.0.0.0') return '127.0.0.1';
  if (host === '::') return '[::1]';
  return host.includes(':') ? `[${host}]` : host;
}

function openIdentity(options: ApiServerOptions): Promise<ServerIdentity> {
  const own = [
    'localhost',
    '127.0.0.1',
    '::1',
    hostname(),
    'kubernetes',
    'kubernetes.default',
    'kubernetes.default.svc',
  ];
  const names = [...new Set([...own, options.listen.host, ...(options.names ?? [])])];
  // An address that stands for all of them is none that a client can ask for.
  const usable = names.filter((name) => name !== '0.0.0.0' && name !== '::');
  return openServerIdentity({
    directory: join(options.dataDirectory, 'identity'),
    names: usable,
    now,
  });
}

interface ServerState {
  readonly store: Store;
  readonly catalog: Catalog;
  readonly registry: Registry;
  readonly policy: PolicyIndex;
  readonly authorizer: RbacAuthorizer;
  readonly admission: AdmissionChain;
  /** Takes further steps of admission while the server runs. */
  readonly plugged: AdmissionChain;
}

function openState(options: ApiServerOptions, stack: AsyncDisposableStack): ServerState {
  const { log } = options;
  const store = stack.use(
    openStore({
      path: join(options.dataDirectory, 'store.sqlite'),
      now: Date.now,
      onCheckpointError: (error) => log.warn({ error }, 'the log of the store could not be moved into its file'),
      onListenerError: (error) => log.error({ error }, 'a listener of the store failed'),
    }),
  );
  const catalog = new Catalog();
  catalog.replace('built-in', builtInResources());
  const policy = new PolicyIndex();
  stack.use(followPolicy(store, policy));
  const authorizer = new RbacAuthorizer(policy);
  const { admission, plugged } = buildAdmission({ store, catalog, policy, authorizer, log }, stack);
  const registry = new Registry({ store, admission, now: Date.now });
  return { store, catalog, registry, policy, authorizer, admission, plugged };
}

async function prepareState(
  state: ServerState,
  options: ApiServerOptions,
  stack: AsyncDisposableStack,
  signal: AbortSignal,
): Promise<void> {
  const { store, catalog, registry } = state;
  const access = registryPolicyAccess(catalog, registry, store);
  try {
    await ensureNamespaces(registry, catalog, signal);
    await ensureDefaultPolicy(access, signal);
  } catch (error) {
    signal.throwIfAborted();
    // With a full disk the server still serves what is there; the next start tries again.
    options.log.error({ error }, 'the default namespaces and roles could not be written');
  }
  stack.use(new RoleAggregation({ source: store, access, onFailure: warn(options, 'a role could not be aggregated') }));
}

async function startLoops(
  { log }: ApiServerOptions,
  state: ServerState,
  identity: ServerIdentity,
  stack: AsyncDisposableStack,
): Promise<Pick<HandlerParts, 'definitions' | 'foreign'>> {
  const parts = { ...state, log };
  const definitions = stack.use(
    await CustomResourceDefinitions.open(controllerDependencies(parts, 'custom-resources')),
  );
  state.plugged.add({
    mutate: (review) => definitions.admit(review),
    confirm: (review) => definitions.confirm(review),
  });
  return { definitions, foreign: startControllers(parts, identity.authority, stack) };
}

function warn({ log }: ApiServerOptions, message: string): (name: string, error: unknown) => void {
  return (name, error) => log.warn({ resource: name, error }, message);
}

function now(): Date {
  return new Date();
}

interface HandlerParts extends ServerState {
  readonly definitions: CustomResourceDefinitions;
  readonly foreign: AggregatedApis;
  readonly identity: ServerIdentity;
  readonly audit: Audit;
  readonly whereabouts: { readonly address: string };
  readonly stopping: AbortSignal;
}

function makeHandler(options: ApiServerOptions, parts: HandlerParts): ApiHandler {
  const { store, policy, authorizer, identity, whereabouts } = parts;
  const signer = new TokenSigner(identity.signingKey);
  const tokens = new ServiceAccountTokens({ signer, issuer: ISSUER, audiences: [ISSUER], objects: store, now });
  const staticTokens = new StaticTokens([[identity.adminToken, ADMIN_USER]]);
  const authenticator = new RequestAuthenticator({ staticTokens, serviceAccounts: tokens, now });
  const kubelets = new KubeletAccess({ store, authority: identity.authority, now });
  return buildApi({
    ...parts,
    upgrades: podStreams(kubelets, parts),
    warningFor: (resource) => parts.definitions.warningFor(resource),
    authenticate: requestAuthentication(authenticator, authorizer),
    audit: auditRequests(parts.audit),
    handlers: new Map([
      ...accessHandlers(authorizer, policy),
      ...workloadHandlers({ ...parts, now: Date.now }),
      ['/pods/log', (call) => serveLog(kubelets, call)],
      ...identityHandlers(authenticator, { tokens, objects: store, now }, parts.admission),
    ]),
    documents: new Map([
      ['/openid/v1/jwks', () => publicKeySet(signer)],
      [
        '/.well-known/openid-configuration',
        () => openidConfiguration(ISSUER, `https://${whereabouts.address}/openid/v1/jwks`),
      ],
    ]),
    actions: new Map([[BACKUP_PATH, backupAction({ store, directory: options.dataDirectory })]]),
    ...observeServer({ ...parts, audit: parts.audit.log }),
    log: options.log,
    limits: { ...DEFAULT_LIMITS, ...options.limits },
    address: () => whereabouts.address,
  });
}

async function listen(
  options: ApiServerOptions,
  identity: ServerIdentity,
  handler: ApiHandler,
  stack: AsyncDisposableStack,
): Promise<Listener> {
  const certificate = (): ServingCertificate => ({ key: identity.serving.key, cert: identity.serving.certificate });
  const clientCa = identity.authority.certificate;
  const listener = await Listener.open({
    ...options.listen,
    certificate: certificate(),
    clientCa,
    handle: (request, response) => handler.handle(request, response),
    upgrade: (request, socket, head) => handler.upgrade(request, socket, head),
  });
  stack.defer(async () => {
    handler.stop();
    await listener.close(AbortSignal.timeout(options.limits?.stopTimeoutMs ?? DEFAULT_LIMITS.stopTimeoutMs));
  });
  stack.use(
    keepCertificatesCurrent({
      identity,
      onRenewed: () => listener.setCertificate(certificate(), clientCa),
      onFailure: (error) => options.log.error({ error }, 'a certificate could not be renewed'),
    }),
  );
  return listener;
}
