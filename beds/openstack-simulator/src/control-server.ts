import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';

import { isJsonArray, isJsonObject, parseJson, type JsonObject, type JsonValue } from '@smalt/json';

import type { Behaviour } from './behaviour.ts';
import { booleanIn, listIn, numberIn, objectIn, textIn, textMapIn } from './read-json.ts';
import type {
  HostChange,
  SimulatedFlavor,
  SimulatedHost,
  SimulatedOpenStack,
  SimulatedServer,
} from './simulated-openstack.ts';
import { isSimulatorError, SimulatorError } from './simulator-error.ts';

/** Where a cloud is told what to do from another process. */
export interface ControlServer extends AsyncDisposable {
  readonly url: string;
}

type Command = (cloud: SimulatedOpenStack, body: JsonValue, query: URLSearchParams) => unknown;

/** What can be asked, by `METHOD /path`; the README lists it. */
const COMMANDS = new Map<string, Command>([
  ['POST /hosts', (cloud, body) => objectsOf(body).map((host) => cloud.addHost(readHost(host)))],
  ['GET /hosts', (cloud, _body, query) => (query.has('name') ? cloud.host(query.get('name') ?? '') : cloud.hosts())],
  [
    'PUT /hosts',
    (cloud, body) => objectsOf(body).map((host) => cloud.changeHost(nameOf(host, 'name'), readChange(host))),
  ],
  ['DELETE /hosts', (cloud) => cloud.hosts().forEach(({ name }) => cloud.removeHost(name))],
  ['POST /aggregates', (cloud, body) => objectsOf(body).map((each) => addAggregate(cloud, each))],
  ['POST /traits', (cloud, body) => objectsOf(body).map((each) => cloud.addTrait(nameOf(each, 'name')))],
  ['POST /servers', (cloud, body) => objectsOf(body).map((each) => addServer(cloud, each))],
  ['GET /servers', (cloud, _body, query) => cloud.serversOn(query.get('host') ?? '')],
  ['DELETE /servers', (cloud) => cloud.servers().forEach(({ id }) => cloud.removeServer(id))],
  ['GET /moves', (cloud) => cloud.moves()],
  ['PUT /behaviour', (cloud, body) => cloud.behave(readBehaviour(isJsonObject(body) ? body : {}))],
  ['PUT /latency', (cloud, body) => cloud.setLatency(isJsonObject(body) ? (numberIn(body, 'ms') ?? 0) : 0)],
  ['GET /calls', (cloud) => cloud.counts()],
  ['DELETE /calls', (cloud) => cloud.forgetCalls()],
  ['DELETE /tokens', (cloud) => cloud.expireTokens()],
]);

/** Serves the commands on loopback, so that a cloud can be a process of its own. */
export async function startControlServer(cloud: SimulatedOpenStack): Promise<ControlServer> {
  const server = createServer((request, response) => {
    void respond(cloud, request, response);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  return {
    url: `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function respond(cloud: SimulatedOpenStack, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { status, body } = await answer(cloud, request);
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify(body ?? null));
}

interface Reply {
  readonly status: number;
  readonly body: unknown;
}

async function answer(cloud: SimulatedOpenStack, request: IncomingMessage): Promise<Reply> {
  const url = new URL(request.url ?? '/', 'http://control');
  const name = `${request.method} ${url.pathname}`;
  const command = COMMANDS.get(name);
  if (command === undefined) {
    return { status: 404, body: { error: `no ${name}; there are ${[...COMMANDS.keys()].join(', ')}` } };
  }
  try {
    const content = await text(request);
    return { status: 200, body: command(cloud, content === '' ? {} : parseJson(content), url.searchParams) };
  } catch (error) {
    return { status: isSimulatorError(error) ? 400 : 500, body: { error: String(error) } };
  }
}

function objectsOf(body: JsonValue): readonly JsonObject[] {
  return (isJsonArray(body) ? body : [body]).filter((each) => isJsonObject(each));
}

function readHost(host: JsonObject): SimulatedHost {
  const status = textIn(host, 'status');
  return {
    name: nameOf(host, 'name'),
    serviceHost: textIn(host, 'serviceHost'),
    vcpus: numberIn(host, 'vcpus'),
    memoryMiB: numberIn(host, 'memoryMiB'),
    diskGiB: numberIn(host, 'diskGiB'),
    zone: textIn(host, 'zone'),
    traits: listIn(host, 'traits').map(String),
    status: status === 'disabled' ? 'disabled' : 'enabled',
    isUp: booleanIn(host, 'isUp'),
  };
}

function readChange(host: JsonObject): HostChange {
  return {
    isUp: booleanIn(host, 'isUp'),
    isReachable: booleanIn(host, 'isReachable'),
    isForcedDown: booleanIn(host, 'isForcedDown'),
  };
}

function addAggregate(cloud: SimulatedOpenStack, aggregate: JsonObject): number {
  const hosts = listIn(aggregate, 'hosts').map(String);
  return cloud.addAggregate(nameOf(aggregate, 'name'), { zone: textIn(aggregate, 'zone'), hosts });
}

function addServer(cloud: SimulatedOpenStack, server: JsonObject): string {
  const flavor = objectIn(server, 'flavor');
  const size = (name: keyof SimulatedFlavor): Partial<SimulatedFlavor> => {
    const value = numberIn(flavor, name);
    return value === undefined ? {} : { [name]: value };
  };
  const wanted: SimulatedServer = {
    id: textIn(server, 'id'),
    name: textIn(server, 'name'),
    status: textIn(server, 'status'),
    flavor: {
      ...size('vcpus'),
      ...size('memoryMiB'),
      ...size('diskGiB'),
      extraSpecs: textMapIn(flavor, 'extraSpecs'),
    },
  };
  return cloud.addServer(nameOf(server, 'host'), wanted);
}

const DURATIONS = ['liveMigrationMs', 'coldMigrationMs', 'evacuationMs', 'spawnMs', 'deleteMs', 'recordLagMs'] as const;

/** The durations and the limit of a behaviour; what goes wrong is a matter of tests in the same process. */
function readBehaviour(body: JsonObject): Partial<Behaviour> {
  const names = [...DURATIONS, 'maxConcurrentMovesPerHost'] as const;
  const unknown = Object.keys(body).find((name) => !names.some((each) => each === name));
  if (unknown !== undefined) {
    throw new SimulatorError('invalid-option', `${unknown}: cannot be set from outside; there are ${names.join(', ')}`);
  }
  return Object.fromEntries(Object.keys(body).map((name) => [name, numberIn(body, name)]));
}

function nameOf(object: JsonObject, field: string): string {
  const name = textIn(object, field);
  if (name === undefined || name === '') throw new SimulatorError('invalid-option', `${field}: is missing`);
  return name;
}
