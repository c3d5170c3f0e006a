import { isJsonObject, printJson, type JsonObject } from '@smalt/json';
import { KubernetesError, matchesFields, parseFieldSelector, type FieldSelector } from '@smalt/kubernetes';

import type { LocalApi } from '../aggregation/aggregated-apis.ts';
import { badRequestError, notFoundError, plainMethodNotAllowedError } from '../errors/make-status-error.ts';
import type { Incoming } from '../http/api-steps.ts';
import { JSON_TYPE } from '../http/negotiate.ts';
import type { RequestInfo } from '../http/request-info.ts';
import { sendBody } from '../http/send-body.ts';
import type { AuditRecord, AuditTrail } from './audit-trail.ts';
import { serveAuditWatch } from './serve-audit-watch.ts';

export const AUDIT_GROUP = 'audit.k8s.io';
export const AUDIT_VERSION = 'v1';
const PLURAL = 'auditevents';
const API_VERSION = `${AUDIT_GROUP}/${AUDIT_VERSION}`;

/** What can be selected by, beside the name; each as it stands in the event. */
const FIELDS: Readonly<Record<string, (record: AuditRecord) => unknown>> = {
  'metadata.name': ({ number }) => String(number),
  deed: ({ isDeed }) => String(isDeed),
  verb: ({ event }) => event['verb'],
  'user.username': ({ event }) => partOf(event['user'], 'username'),
  'objectRef.resource': ({ event }) => partOf(event['objectRef'], 'resource'),
  'objectRef.namespace': ({ event }) => partOf(event['objectRef'], 'namespace'),
  'objectRef.name': ({ event }) => partOf(event['objectRef'], 'name'),
};

/** Serves the newest audit events as objects that can be listed and watched, by those who may: `auditevents` of `audit.k8s.io`. */
export function auditApi(trail: AuditTrail): LocalApi {
  return {
    discovery: {
      kind: 'APIResourceList',
      apiVersion: 'v1',
      groupVersion: API_VERSION,
      resources: [
        {
          name: PLURAL,
          singularName: 'auditevent',
          namespaced: false,
          kind: 'Event',
          verbs: ['get', 'list', 'watch'],
        },
      ],
    },
    serve: async (_user, incoming) => await serve(trail, incoming),
  };
}

async function serve(trail: AuditTrail, { exchange, info }: Incoming): Promise<void> {
  if (info.plural !== PLURAL || info.subresource !== '') {
    throw notFoundError({ group: AUDIT_GROUP, plural: info.plural }, info.name);
  }
  const matches = selectionOf(info);
  switch (info.verb) {
    case 'watch':
      return await serveAuditWatch({ trail, matches, print: objectOf, apiVersion: API_VERSION }, exchange, info);
    case 'list':
      return await sendBody(exchange, 200, JSON_TYPE, Buffer.from(printJson(listOf(trail, matches))));
    case 'get':
      return exchange.send(200, JSON_TYPE, printJson(oneOf(trail, info.name)));
    default:
      throw plainMethodNotAllowedError();
  }
}

function listOf(trail: AuditTrail, matches: (record: AuditRecord) => boolean): JsonObject {
  const items = trail.records().filter(matches).map(objectOf);
  return { kind: 'EventList', apiVersion: API_VERSION, metadata: { resourceVersion: String(trail.number) }, items };
}

function oneOf(trail: AuditTrail, name: string): JsonObject {
  const found = trail.records().find(({ number }) => String(number) === name);
  if (found === undefined) throw notFoundError({ group: AUDIT_GROUP, plural: PLURAL }, name);
  return objectOf(found);
}

/** An event with what makes it an object of the API. */
function objectOf({ number, event }: AuditRecord): JsonObject {
  const { kind: _kind, apiVersion: _version, ...rest } = event;
  const metadata = {
    name: String(number),
    resourceVersion: String(number),
    ...(typeof event['stageTimestamp'] === 'string' && { creationTimestamp: event['stageTimestamp'] }),
  };
  return { kind: 'Event', apiVersion: API_VERSION, metadata, ...rest };
}

function selectionOf({ query }: RequestInfo): (record: AuditRecord) => boolean {
  if ((query.get('labelSelector') ?? '') !== '') throw badRequestError('audit events have no labels to select by');
  const selector = parsed(query.get('fieldSelector') ?? '');
  const unknown = selector.requirements.find(({ field }) => !Object.hasOwn(FIELDS, field));
  if (unknown !== undefined) {
    const known = Object.keys(FIELDS).join(', ');
    throw badRequestError(`fieldSelector: "${unknown.field}" is no field of audit events to select by: use ${known}`);
  }
  return (record) => matchesFields(selector, (field) => textOf(FIELDS[field]?.(record)));
}

function parsed(text: string): FieldSelector {
  try {
    return parseFieldSelector(text);
  } catch (error) {
    if (error instanceof KubernetesError) throw badRequestError(error.message, { cause: error });
    throw error;
  }
}

function partOf(value: unknown, name: string): unknown {
  return isJsonObject(value) ? value[name] : undefined;
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
