import { setImmediate as turn } from 'node:timers/promises';

import { isWebSocketError, openWebSocket, type WebSocketStream } from '@smalt/websocket';
import { virtualMachineKind } from '@smalt/vm-api';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';

import { machineDraft } from '../fixtures/machines.ts';
import { startPluggedBed, type PluggedBed } from '../fixtures/plugged-bed.ts';

const ROOT = '/apis/subresources.kubevirt.io/v1/namespaces/default/virtualmachineinstances';
const PLAIN = ['plain.kubevirt.io'];
const MEBIBYTE = 1024 * 1024;
let bed: PluggedBed;
let guestEnded: Promise<void>;

beforeAll(async () => {
  bed = await startPluggedBed();
  await bed.instance('guest');
});

afterAll(() => bed[Symbol.asyncDispose]());

beforeEach(() => {
  bed.handler.seen.length = 0;
  bed.handler.behaviour.refuseStream = undefined;
  guestDoes(async (stream) => {
    for await (const bytes of stream) await stream.write(bytes);
  });
});

describe('a stream', () => {
  it.each(['console', 'vnc', 'portforward/22', 'portforward/22/tcp'])('to %s carries bytes both ways', async (path) => {
    await using stream = await open(path);

    await stream.write(Buffer.from('login: '));
    const said = await read(stream, 7);

    expect([said, stream.protocol]).toEqual(['login: ', 'plain.kubevirt.io']);
    const url = `/v1/namespaces/default/virtualmachineinstances/guest/${path.replace('/tcp', '')}`;
    expect(bed.handler.seen).toMatchObject([{ method: 'GET', url }]);
  });

  it('shows the node nothing of what the client showed us', async () => {
    await using _stream = await open('console?preserveSession=true&other=1');

    const [seen] = bed.handler.seen;
    expect(seen?.authorization).toMatch(/^Bearer /);
    expect(seen?.authorization).not.toContain(bed.server.adminToken);
    expect(seen?.url).toMatch(/console\?preserveSession=true$/);
  });

  it.each([
    ['guest/usage?seconds=3', '/v1/namespaces/default/virtualmachineinstances/guest/usage?seconds=3'],
    [
      'guest/logs?lines=5&follow=false&x=1',
      '/v1/namespaces/default/virtualmachineinstances/guest/logs?lines=5&follow=false',
    ],
    ['../../../nodes/n1/usage', '/v1/nodes/n1/usage'],
    ['../../../nodes/n1/logs?unit=ovs', '/v1/nodes/n1/logs?unit=ovs'],
  ])('to %s is opened at the node, message by message', async (path, url) => {
    guestDoes((stream) => stream.writeText('{"at":"now"}\n'));

    await using stream = await openAt(path, {});

    expect([await read(stream, 13), bed.handler.seen[0]?.url]).toEqual(['{"at":"now"}\n', url]);
  });

  it('is open to clients that name no subprotocol, and to those that show their token in one', async () => {
    const hidden = Buffer.from(bed.server.adminToken).toString('base64url');
    const inProtocol = [`base64url.bearer.authorization.k8s.io.${hidden}`, ...PLAIN];

    await using bare = await open('console', { protocols: [] });
    await using browser = await open('console', { protocols: inProtocol, headers: {} });

    expect([bare.protocol, browser.protocol]).toEqual(['', 'plain.kubevirt.io']);
  });

  it('ends when the guest ends it, with all that it said', async () => {
    guestDoes(async (stream) => {
      await stream.write(Buffer.alloc(3 * MEBIBYTE, 'x'));
    });

    await using stream = await open('console');
    let bytes = 0;
    for await (const chunk of stream) bytes += chunk.length;

    expect(bytes).toBe(3 * MEBIBYTE);
  });

  it('ends for the guest when the client ends it, or breaks off', async () => {
    const polite = await open('console');
    await polite.close();
    await guestEnded;

    guestDoes(async (stream) => {
      for await (const _bytes of stream) await turn();
    });
    const rude = await open('console');
    rude.destroy();

    await guestEnded;
    await expect.poll(() => bed.metrics.expose()).toContain('smalt_virt_api_streams 0');
  });

  it('holds a guest back that speaks faster than the client reads', async () => {
    let written = 0;
    guestDoes(async (stream) => {
      for (let sent = 0; sent < 64; sent++) {
        await stream.write(Buffer.alloc(MEBIBYTE));
        written++;
      }
    });

    const stream = await open('console');
    const sofar = await settled(() => written);
    stream.destroy();
    await guestEnded;

    // What two connections hold in their buffers, and not what the guest would like to send.
    expect(sofar).toBeLessThan(32);
  });

  it('belongs to the instance of a virtual machine as well', async () => {
    await bed.admin.resource(virtualMachineKind).create(machineDraft('guest'));

    await using stream = await open('../../virtualmachines/guest/portforward/8080');
    await stream.write(Buffer.from('hello'));

    expect(await read(stream, 5)).toBe('hello');
  });
});

describe('a stream that cannot be', () => {
  it.each([
    ['guest/portforward/70000', 400, 'is no port'],
    ['guest/portforward/22/udp', 400, 'only tcp can'],
    ['guest/portforward', 400, 'is no port'],
    ['guest/pause', 405, 'takes PUT'],
    ['guest/usbredir', 501, 'is not served here'],
    ['none/console', 404, 'not found'],
    ['../../../nodes/n9/usage', 503, 'there is no node n9'],
    ['../nodes/n1/usage', 404, 'could not find'],
  ])('to %s is refused with a Status', async (path, code, message) => {
    expect(await refusalOf(path)).toEqual([code, expect.stringContaining(message)]);
  });

  it('is refused in the words of the node', async () => {
    bed.handler.behaviour.refuseStream = { code: 409, body: { kind: 'Status', message: 'somebody looks already' } };

    expect(await refusalOf('guest/vnc')).toEqual([409, 'somebody looks already']);
  });

  it('is refused where there is no console', async () => {
    const domain = { memory: { guest: '64Mi' }, devices: { autoattachSerialConsole: false } };
    await bed.instance('mute', { spec: { domain } });

    expect(await refusalOf('mute/console')).toEqual([400, 'No serial consoles are present.']);
  });

  it('is refused to those who may not', async () => {
    const token = await bed.token('bob');

    const headers = { authorization: `Bearer ${token}` };
    const paths = ['guest/console', 'guest/usage', '../../../nodes/n1/usage', '../../../nodes/n1/logs'];
    const answers = await Promise.all(paths.map((path) => refusalOf(path, { headers })));

    expect(answers.map(([code]) => code)).toEqual([403, 403, 403, 403]);
  });
});

/** What the guest does with the next streams; `guestEnded` resolves when it is done with one. */
function guestDoes(run: (stream: WebSocketStream) => Promise<void>): void {
  const ended = Promise.withResolvers<void>();
  guestEnded = ended.promise;
  bed.handler.behaviour.stream = async (stream) => {
    try {
      await run(stream);
    } finally {
      ended.resolve();
    }
  };
}

interface Opening {
  readonly protocols?: readonly string[];
  readonly headers?: Readonly<Record<string, string>>;
}

async function open(path: string, given: Opening = {}): Promise<WebSocketStream> {
  return await openAt(`guest/${path}`, given);
}

async function openAt(path: string, { protocols = PLAIN, headers }: Opening): Promise<WebSocketStream> {
  return await openWebSocket({
    url: new URL(`${bed.server.url}${ROOT}/${path}`),
    headers: headers ?? { authorization: `Bearer ${bed.server.adminToken}` },
    tls: { ca: bed.server.ca },
    protocols,
    signal: AbortSignal.timeout(10_000),
  });
}

async function refusalOf(path: string, given: Opening = {}): Promise<readonly [number | undefined, unknown]> {
  const error = await openAt(path, given).then(
    () => undefined,
    (failure: unknown) => failure,
  );
  if (!isWebSocketError(error)) throw new Error('the stream was opened', { cause: error });
  return [error.httpStatus, Object(JSON.parse(error.answer ?? '{}')).message];
}

async function read(stream: WebSocketStream, length: number): Promise<string> {
  let text = '';
  for await (const bytes of stream) {
    text += Buffer.from(bytes).toString('utf8');
    if (text.length >= length) break;
  }
  return text;
}

/** A number once it has not changed for a while. */
async function settled(value: () => number): Promise<number> {
  let last = -1;
  await expect
    .poll(
      () => {
        const isSame = value() === last && last > 0;
        last = value();
        return isSame;
      },
      { interval: 200, timeout: 10_000 },
    )
    .toBe(true);
  return last;
}
