import { readFile } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { dirname, join } from 'node:path';
import type { TLSSocket } from 'node:tls';

import type { JsonObject } from '@smalt/json';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { startStandIn, type StandIn } from '../aggregation/fixtures/https-stand-in.ts';
import { CertificateAuthority } from '../identity/certificate-authority.ts';
import { startKubectlBed, type KubectlBed } from '../kubectl/kubectl-bed.ts';

const PODS = '/api/v1/namespaces/default/pods';
let bed: KubectlBed;
let kubelet: StandIn;
let requests: string[] = [];
let respond: (request: IncomingMessage, response: ServerResponse) => void;

beforeAll(async () => {
  bed = await startKubectlBed();
  const { server } = bed.api;
  const directory = dirname(server.kubeconfig);
  const [certificate, key] = await Promise.all(
    ['ca.crt', 'ca.key'].map((name) => readFile(join(directory, name), 'utf8')),
  );
  const authority = new CertificateAuthority({ certificate: certificate ?? '', key: key ?? '' });
  kubelet = await startStandIn({
    names: ['127.0.0.1'],
    authority,
    clientCa: server.ca,
    handle: (request, response) => {
      const socket = request.socket as TLSSocket;
      requests.push(`${String(socket.getPeerCertificate().subject.CN)} ${request.url ?? ''}`);
      respond(request, response);
    },
  });
  kubelet.server.on('upgrade', (request, socket) => {
    requests.push(request.url ?? '');
    socket.write('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: echo\r\n\r\n');
    socket.pipe(socket);
  });
  await startNode();
  await post(PODS, pod('one', ['main']));
  await post(PODS, pod('two', ['a', 'b']));
  await post(PODS, { ...pod('idle', ['main']), spec: { containers: [{ name: 'main', image: 'i' }] } });
});

afterAll(async () => {
  await kubelet[Symbol.asyncDispose]();
  await bed[Symbol.asyncDispose]();
});

describe('logs', () => {
  it('come from the agent of the node', async () => {
    respond = (_request, response) => response.end('hello\n');
    requests = [];

    const text = await bed.output(['logs', 'one', '--tail=5', '--timestamps']);

    expect(text).toBe('hello\n');
    expect(requests).toEqual([
      'kube-apiserver-kubelet-client /containerLogs/default/one/main?timestamps=true&tailLines=5',
    ]);
  });

  it('arrive line by line while the container runs', async () => {
    const lines: string[] = [];
    const open = Promise.withResolvers<ServerResponse>();
    respond = (_request, response) => {
      response.write('first\n');
      open.resolve(response);
    };
    const stop = new AbortController();

    for await (const line of bed.follow(['logs', '-f', 'one'], stop.signal)) {
      lines.push(line.trim());
      if (lines.length === 1) (await open.promise).write('second\n');
      else break;
    }
    stop.abort();

    expect(lines).toEqual(['first', 'second']);
  });

  it('pass on why the agent has none', async () => {
    respond = (_request, response) =>
      response.writeHead(400).end('container "main" in pod "one" is waiting to start: ContainerCreating\n');

    const { stderr } = await bed.run(['logs', 'one']);

    expect(stderr).toContain('container "main" in pod "one" is waiting to start: ContainerCreating');
  });

  it.each([
    ['two/log', 400, 'a container name must be specified for pod two, choose one of: [a b]'],
    ['two/log?container=c', 400, 'container c is not valid for pod two'],
    ['none/log', 404, 'pods "none" not found'],
    [
      'one/log?tailLines=-1',
      422,
      'PodLogOptions "one" is invalid: tailLines: Invalid value: -1: must be greater than or equal to 0',
    ],
  ])('refuse %s', async (path, code, message) => {
    expect(await bed.api.call('GET', `${PODS}/${path}`)).toMatchObject({ code, object: { message } });
  });

  it('are empty for a pod that was given to no node', async () => {
    expect(await bed.api.call('GET', `${PODS}/idle/log`)).toMatchObject({ code: 204, text: '' });
  });

  it('say so when the agent cannot be reached', async () => {
    await post('/api/v1/nodes', node('away', 1));
    await post(PODS, pod('far', ['main'], 'away'));

    const { code, object } = await bed.api.call('GET', `${PODS}/far/log`);

    expect({ code, message: object['message'] }).toEqual({
      code: 500,
      message:
        'Internal error occurred: Get "https://127.0.0.1:1/containerLogs/default/far/main": dial tcp 127.0.0.1:1: connect: connection refused',
    });
  });
});

describe('exec', () => {
  it('passes every byte on both ways, and no credential', async () => {
    requests = [];

    const echoed = await talk(`${PODS}/one/exec?command=cat&command=-n&stdin=true&stdout=true`, 'ping');

    expect(echoed).toBe('ping');
    expect(requests).toEqual(['/exec/default/one/main?input=1&output=1&command=cat&command=-n']);
  });

  it('is refused for a pod without a node', async () => {
    await expect(talk(`${PODS}/idle/exec?command=x`, '')).rejects.toThrow('400');
  });
});

function talk(path: string, text: string): Promise<string> {
  const { server } = bed.api;
  const headers = { connection: 'Upgrade', upgrade: 'echo', authorization: `Bearer ${server.adminToken}` };
  return new Promise((resolve, reject) => {
    const request = httpsRequest(`${server.url}${path}`, { ca: server.ca, headers, agent: false }, (response) =>
      reject(new Error(String(response.statusCode))),
    );
    request.on('upgrade', (_response, socket, head) => {
      let echoed = head.toString();
      socket.on('data', (chunk: Buffer) => {
        echoed += chunk.toString();
        if (echoed.length < text.length) return;
        socket.destroy();
        resolve(echoed);
      });
      socket.write(text);
    });
    request.on('error', reject);
    request.end();
  });
}

async function post(path: string, body: JsonObject): Promise<void> {
  const { code, text } = await bed.api.call('POST', path, { body });
  if (code !== 201) throw new Error(text);
}

async function startNode(): Promise<void> {
  await post('/api/v1/nodes', node('n1', kubelet.port));
}

function node(name: string, port: number): JsonObject {
  const status = {
    addresses: [{ type: 'InternalIP', address: '127.0.0.1' }],
    daemonEndpoints: { kubeletEndpoint: { Port: port } },
  };
  return { apiVersion: 'v1', kind: 'Node', metadata: { name }, status };
}

function pod(name: string, containers: readonly string[], nodeName = 'n1'): JsonObject {
  const spec = { nodeName, containers: containers.map((container) => ({ name: container, image: 'i' })) };
  return { apiVersion: 'v1', kind: 'Pod', metadata: { name }, spec };
}
