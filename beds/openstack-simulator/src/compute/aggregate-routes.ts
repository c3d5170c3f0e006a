import { isJsonObject, type JsonObject } from '@smalt/json';

import { zoneOf, type Aggregate } from '../books/aggregate-books.ts';
import type { CloudBooks } from '../books/cloud-books.ts';
import type { Host } from '../books/host.ts';
import { objectIn, textIn } from '../read-json.ts';
import type { Answer, Routes, ServiceRequest } from '../router.ts';
import { refusal } from '../simulator-error.ts';
import { novaTime } from './server-document.ts';

const UUID_FROM = 41;

/** What Nova answers about aggregates. */
export function aggregateRoutes(books: CloudBooks): Routes {
  const { aggregates } = books;
  return {
    'GET /os-aggregates': ({ version }) => {
      const texts = [...aggregates.all].map((aggregate) => aggregateText(aggregate, version));
      return { status: 200, text: `{"aggregates":[${texts.join(',')}]}` };
    },
    'POST /os-aggregates': (request) => createAggregate(books, request),
    'GET /os-aggregates/{aggregate}': (request) => answerOf(aggregates.get(idOf(request)), request),
    'DELETE /os-aggregates/{aggregate}': (request) => {
      aggregates.delete(idOf(request));
      return { status: 200 };
    },
    'POST /os-aggregates/{aggregate}/action': (request) => act(books, request),
  };
}

function createAggregate(books: CloudBooks, request: ServiceRequest): Answer {
  const wanted = objectIn(request.body, 'aggregate');
  const name = textIn(wanted, 'name');
  if (name === undefined || name === '') throw refusal(400, 'Invalid input for field/attribute name.');
  const aggregate = books.aggregates.add({ name, zone: textIn(wanted, 'availability_zone') });
  // Nova leaves out what is surely empty.
  const { hosts: _hosts, metadata: _metadata, ...document } = aggregateDocument(aggregate);
  return { status: 200, body: { aggregate: document } };
}

function act(books: CloudBooks, request: ServiceRequest): Answer {
  const { body } = request;
  const aggregate = books.aggregates.get(idOf(request));
  const [name = ''] = Object.keys(body);
  const content = objectIn(body, name);
  switch (name) {
    case 'add_host':
      books.aggregates.join(aggregate, knownHost(books, content));
      return answerOf(aggregate, request);
    case 'remove_host': {
      const host = knownHost(books, content);
      if (!aggregate.hosts.has(host)) {
        throw refusal(404, `Aggregate ${aggregate.id} has no host ${host.serviceHost}.`);
      }
      books.aggregates.leave(aggregate, host);
      return answerOf(aggregate, request);
    }
    case 'set_metadata':
      books.aggregates.mergeMetadata(aggregate, readMetadata(content));
      return answerOf(aggregate, request);
    default:
      throw refusal(400, `There is no such action: ${name}.`);
  }
}

function knownHost(books: CloudBooks, content: JsonObject): Host {
  const name = textIn(content, 'host') ?? '';
  const host = books.hostOfService(name);
  if (host?.serviceHost !== name) throw refusal(404, `Compute host ${name} could not be found.`);
  return host;
}

function readMetadata(content: JsonObject): Readonly<Record<string, string | null>> {
  const metadata = objectIn(content, 'metadata');
  if (!isJsonObject(content['metadata'])) throw refusal(400, 'Invalid input for field/attribute metadata.');
  return Object.fromEntries(
    Object.entries(metadata).map(([name, value]) => [name, typeof value === 'string' ? value : null]),
  );
}

function idOf({ ids }: ServiceRequest): number {
  const id = Number(ids['aggregate']);
  if (!Number.isInteger(id)) throw refusal(400, `The aggregate id ${ids['aggregate']} is no integer.`);
  return id;
}

function answerOf(aggregate: Aggregate, { version }: ServiceRequest): Answer {
  return { status: 200, text: `{"aggregate":${aggregateText(aggregate, version)}}` };
}

// A large fleet makes this long, and every listing sends it.
function aggregateText(aggregate: Aggregate, version: number): string {
  if (version < UUID_FROM) {
    const { uuid: _uuid, ...document } = aggregateDocument(aggregate);
    return JSON.stringify(document);
  }
  aggregate.text ??= JSON.stringify(aggregateDocument(aggregate));
  return aggregate.text;
}

function aggregateDocument(aggregate: Aggregate): JsonObject {
  return {
    id: aggregate.id,
    uuid: aggregate.uuid,
    name: aggregate.name,
    hosts: [...aggregate.hosts].map(({ serviceHost }) => serviceHost),
    metadata: aggregate.metadata,
    created_at: novaTime(aggregate.createdAt),
    updated_at: aggregate.updatedAt === undefined ? null : novaTime(aggregate.updatedAt),
    deleted_at: null,
    deleted: false,
    availability_zone: zoneOf(aggregate) ?? null,
  };
}
