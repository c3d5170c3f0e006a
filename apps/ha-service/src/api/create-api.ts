import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { randomUUID } from 'node:crypto';

import fastifySwagger from '@fastify/swagger';
import { TypeBoxValidatorCompiler, type TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import { RateLimit } from '@smalt/kubernetes-callers';
import fastify, { type FastifyReply, type FastifyRequest } from 'fastify';

import { HaServiceError } from '../ha-service-error.ts';
import type { ApiContext } from './api-context.ts';
import type { ApiServer } from './api-server.ts';
import { mayAct, Role, type Caller } from './caller.ts';
import { addChangeRoutes } from './changes/change-routes.ts';
import { addHostRoutes } from './host-routes.ts';
import { addIncidentRoutes } from './incident-routes.ts';
import { answererOf, passOn, refusePassedOn } from './leader/pass-on.ts';
import { problemOf } from './problem.ts';
import { addServiceRoutes } from './service-routes.ts';

const BODY_BYTES = 64 * 1_024;
const SWITCH_ROUTE = '/api/hypervisors/:host';
const WHO =
  'A token of the tokens file or of the cluster. Who may impersonate hypervisors/highavailability in kvm.cloud.sap can ask on behalf of ' +
  'others with the headers Impersonate-User and Impersonate-Group; then the rights of those count, and the journal names both.';
const NOBODY: Caller = { name: 'anonymous', role: Role.viewer };

export type RequestHandler = (request: IncomingMessage, response: ServerResponse) => void;

/**
 * Makes the REST API on a server that somebody else has made and listens with: requests are handed to what it returns.
 * The signal ends requests that are under way.
 */
export async function createApi(context: ApiContext, server: Server, signal: AbortSignal): Promise<RequestHandler> {
  const made = Promise.withResolvers<RequestHandler>();
  const api: ApiServer = fastify({
    serverFactory: (handler) => {
      made.resolve(handler);
      return server;
    },
    bodyLimit: BODY_BYTES,
    genReqId: () => randomUUID(),
    logger: false,
    ajv: { customOptions: { coerceTypes: 'array', removeAdditional: false } },
  }).withTypeProvider<TypeBoxTypeProvider>();
  await api.register(fastifySwagger, {
    openapi: {
      openapi: '3.1.0',
      info: { title: 'Smalt HA service', version: '1', description: 'High availability that never runs a VM twice' },
      components: { securitySchemes: { token: { type: 'http', scheme: 'bearer', description: WHO } } },
      security: [{ token: [] }],
    },
  });
  // Queries are text and are turned into numbers; in a body a number is a number, and nothing is taken for something else.
  api.addHook('onRoute', (route) => {
    if (route.method === 'POST') route.validatorCompiler = TypeBoxValidatorCompiler;
  });
  guard(api, context, signal);
  addIncidentRoutes(api, context);
  addHostRoutes(api, context);
  addServiceRoutes(api, context);
  addChangeRoutes(api, context, signal);
  api.get('/api/v1/openapi.json', { schema: { hide: true } }, () => api.swagger());
  await api.ready();
  return await made.promise;
}

/** Who asks, what they may, how often and for how long; and how a refusal looks. */
function guard(api: ApiServer, context: ApiContext, signal: AbortSignal): void {
  const [addresses, callers] = [new RateLimit(context.clock), new RateLimit(context.clock)];
  api.decorateRequest('caller', undefined, []);
  api.decorateRequest('until', undefined, []);
  api.addHook('onRequest', async (request, reply) => {
    reply.header('x-request-id', request.id).header('cache-control', 'no-store');
    const { timeoutMs, requestsPerSecond, requestsPerSecondOfAddress } = context.settings().api;
    // Many may be behind one address, and who has no name must not keep out those who have one.
    requireRoom(addresses, { who: request.ip, perSecond: requestsPerSecondOfAddress }, reply);
    request.until = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]);
    request.caller = await callerOf(context, request);
    const who = request.caller === NOBODY ? `${NOBODY.name} at ${request.ip}` : request.caller.name;
    requireRoom(callers, { who, perSecond: requestsPerSecond }, reply);
    if (!isAnonymousSwitch(context, request)) requireRole(request);
    const answerer = answererOf(context, request);
    if (answerer.kind === 'nobody') refusePassedOn(reply, answerer.why);
    if (answerer.kind === 'here') return;
    const isAnswered = await passOn(context, { request, reply, mostBodyBytes: BODY_BYTES }, signal);
    return isAnswered ? reply : undefined;
  });
  api.setErrorHandler((error, request, reply) => refuse(context, { error, request, reply }));
  api.setNotFoundHandler((request, reply) => {
    const error = new HaServiceError(
      'not-found',
      `there is no ${request.method} ${request.url}: see /api/v1/openapi.json`,
    );
    return refuse(context, { error, request, reply });
  });
}

function requireRole({ method, caller }: FastifyRequest): void {
  const needed = method === 'GET' || method === 'HEAD' ? Role.viewer : Role.operator;
  if (mayAct(caller, needed)) return;
  const { name, role } = caller;
  throw new HaServiceError('forbidden', `${name} is a ${role}, and this takes an ${needed}: ask one of those`);
}

function requireRoom(
  limit: RateLimit,
  { who, perSecond }: { readonly who: string; readonly perSecond: number },
  reply: FastifyReply,
): void {
  if (limit.take(who, perSecond)) return;
  reply.header('retry-after', '1');
  throw new HaServiceError('too-many-requests', `${who}: more than ${perSecond} requests in a second: wait a moment`);
}

async function callerOf(context: ApiContext, request: FastifyRequest): Promise<Caller> {
  if (isAnonymousSwitch(context, request) && request.headers.authorization === undefined) return NOBODY;
  return await context.authenticator.authenticate(request.raw, request.until);
}

function isAnonymousSwitch(context: ApiContext, request: FastifyRequest): boolean {
  return context.settings().api.allowsAnonymousSwitch && request.routeOptions.url === SWITCH_ROUTE;
}

interface Refused {
  readonly error: unknown;
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
}

function refuse({ logger }: ApiContext, { error, request, reply }: Refused): FastifyReply {
  const problem = problemOf(error, request.id);
  const caller = request.caller?.name;
  const fields = { requestId: request.id, method: request.method, url: request.url, status: problem.status, caller };
  if (problem.status >= 500) logger.error({ ...fields, error }, 'a request failed');
  else logger.debug({ ...fields, detail: problem.detail }, 'a request was refused');
  if (problem.status === 401) reply.header('www-authenticate', 'Bearer');
  if (problem.status === 503) reply.header('retry-after', '5');
  return reply.code(problem.status).type('application/problem+json').send(problem);
}
