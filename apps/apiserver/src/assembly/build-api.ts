import type { JsonObject } from '@smalt/json';
import type { Resource } from '@smalt/resource';
import type { HealthRegistry, Logger, MetricsRegistry } from '@smalt/service-runtime';

import type { LocalApiDocuments } from '../aggregation/aggregated-apis.ts';
import type { Authorizer } from '../authorization/authorizer.ts';
import { requestForbiddenError } from '../authorization/forbidden.ts';
import { requestAttributes } from '../authorization/request-attributes.ts';
import type { Catalog } from '../catalog/catalog.ts';
import { Discovery } from '../discovery/serve-discovery.ts';
import { badRequestError, unknownResourceError } from '../errors/make-status-error.ts';
import { ApiHandler } from '../http/api-handler.ts';
import type { ApiHandlerSteps, Incoming } from '../http/api-steps.ts';
import { deprecationWarning } from '../http/deprecation-warning.ts';
import { readObject, writeContext } from '../http/read-write-request.ts';
import type { RequestInfo } from '../http/request-info.ts';
import { RequestMetrics } from '../http/request-metrics.ts';
import { handlerKey, type ResourceCall, type ResourceHandlers } from '../http/resource-handler.ts';
import { servePath, sendNotFound, type PathAction, type PathDependencies } from '../http/serve-path.ts';
import { isServedAt, misplacedError, serveResource, type ResourceServing } from '../http/serve-resource.ts';
import { SERVER_VERSION } from '../http/server-version.ts';
import type { UpgradeCall, UpgradeHandler } from '../http/upgrade-handler.ts';
import { WatchFrames } from '../http/watch-frames.ts';
import { ChunkFraming } from '../http/watch-stream.ts';
import type { User } from '../identity/user.ts';
import { OpenApi } from '../openapi/serve-openapi.ts';
import type { ServerLimits } from '../options.ts';
import type { Registry } from '../registry/registry.ts';

/** The parts that requests are served from. */
export interface ApiParts {
  readonly catalog: Catalog;
  readonly registry: Registry;
  readonly authorizer: Authorizer;
  readonly authenticate: ApiHandlerSteps['authenticate'];
  readonly audit: Pick<ApiHandlerSteps, 'started' | 'finished'>;
  readonly handlers: ResourceHandlers;
  /** Streams such as `pods/exec`, by the same keys as the handlers. */
  readonly upgrades?: ReadonlyMap<string, UpgradeHandler>;
  /** What every client of a resource is to be told. */
  readonly warningFor?: (resource: Resource) => string | undefined;
  readonly foreign?: ForeignApis;
  readonly documents: ReadonlyMap<string, () => JsonObject>;
  /** What is done on a POST to a path that is no resource. */
  readonly actions?: ReadonlyMap<string, PathAction>;
  readonly health: HealthRegistry;
  readonly metrics: MetricsRegistry;
  readonly log: Logger;
  readonly limits: ServerLimits;
  /** Where clients reach the server, such as `127.0.0.1:6443`. */
  readonly address: () => string;
}

/** Groups that are served by other servers. */
interface ForeignApis {
  /** What discovery shows of them. */
  resources(): readonly Resource[];
  /** The documents of those that have some of their own, by path. */
  documents(): ReadonlyMap<string, LocalApiDocuments>;
  /** Calls the listener when that has changed. */
  subscribe(listener: () => void): void;
  /** Answers a request to one of them; false when it is none. */
  serve(user: User, incoming: Incoming): Promise<boolean>;
  /** The same for a request that goes on in another protocol. */
  upgrade(call: UpgradeCall): Promise<boolean>;
}

/** Puts the parts together into what takes requests. */
export function buildApi(parts: ApiParts): ApiHandler {
  const { catalog, registry } = parts;
  const metrics = new RequestMetrics(parts.metrics);
  const discovery = new Discovery(() => [...catalog.resources, ...(parts.foreign?.resources() ?? [])], parts.address);
  const openApi = new OpenApi(
    () => discovery.groups(),
    SERVER_VERSION,
    () => parts.foreign?.documents() ?? new Map(),
  );
  const invalidate = (): void => {
    discovery.invalidate();
    openApi.invalidate();
  };
  catalog.subscribe(invalidate);
  parts.foreign?.subscribe(invalidate);
  const { health, documents, actions = new Map() } = parts;
  const paths = { discovery, openApi, health, metrics: parts.metrics, documents, actions };
  const watching = {
    watch: registry.watch.bind(registry),
    frames: new WatchFrames(),
    framing: new ChunkFraming(),
    metrics,
    now,
    random: Math.random,
  };
  const resources = { registry, watching, handlers: parts.handlers, now };
  const steps: ApiHandlerSteps = {
    authenticate: parts.authenticate,
    authorize: (user, info) => parts.authorizer.authorize(user, requestAttributes(info)),
    forbid: (user, info, { reason }) => requestForbiddenError(user, requestAttributes(info), reason),
    serve: (user, incoming) => serve({ parts, paths, resources }, user, incoming),
    upgrade: (call) => upgrade(parts, call),
    isKnown: ({ group, version, plural }) => catalog.find(group, version, plural) !== undefined,
    started: (incoming, outcome) => parts.audit.started(incoming, outcome),
    finished: (incoming, outcome) => parts.audit.finished(incoming, outcome),
  };
  const { maxInFlight, requestTimeoutMs } = parts.limits;
  return new ApiHandler({ steps, metrics, log: parts.log, maxInFlight, requestTimeoutMs });
}

function now(): Date {
  return new Date();
}

async function upgrade({ foreign, upgrades, catalog }: ApiParts, call: UpgradeCall): Promise<void> {
  if ((await foreign?.upgrade(call)) === true) return;
  const { info } = call;
  const resource = catalog.find(info.group, info.version, info.plural);
  if (info.isResourceRequest && (resource === undefined || !isServedAt(resource, info))) throw unknownResourceError();
  const handler = upgrades?.get(handlerKey(info));
  if (handler === undefined) throw badRequestError('this path cannot be upgraded to another protocol');
  await handler(call);
}

interface Serving {
  readonly parts: ApiParts;
  readonly paths: PathDependencies;
  readonly resources: ResourceServing;
}

async function serve({ parts, paths, resources }: Serving, user: User, incoming: Incoming): Promise<void> {
  const { exchange, info } = incoming;
  if ((await parts.foreign?.serve(user, incoming)) === true) return;
  if (!info.isResourceRequest) return servePath(paths, exchange, info);
  const resource = parts.catalog.find(info.group, info.version, info.plural);
  if (resource === undefined || !isServedAt(resource, info)) {
    if (paths.discovery.isBuiltIn(info.group)) throw misplacedError(resource, info);
    return sendNotFound(exchange);
  }
  const warning = parts.warningFor?.(resource) ?? deprecationWarning(resource);
  if (warning !== undefined) exchange.addWarning(warning);
  const call: ResourceCall = {
    exchange,
    info,
    resource,
    user,
    authorizeCreate: () => authorizeCreate(parts.authorizer, user, info),
    readBody: async (gvk) => (await readObject(call, gvk, writeContext(call, 'CreateOptions'))).object,
  };
  return serveResource(resources, call);
}

function authorizeCreate(authorizer: Authorizer, user: User, info: RequestInfo): void {
  const attributes = { ...requestAttributes(info), verb: 'create' };
  const { allowed, reason } = authorizer.authorize(user, attributes);
  if (!allowed) throw requestForbiddenError(user, attributes, reason);
}
