import type { Socket } from 'node:net';
import { pipeline } from 'node:stream/promises';
import { setImmediate as turn } from 'node:timers/promises';

import { encodeHello, encodeMessage, type Message, MessageType } from '@smalt/openflow';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { ManualClock } from '../connection/fixtures/manual-clock.ts';
import { type FakeSwitchOptions, multipartReply, startFakeSwitch } from './fixtures/fake-switch.ts';
import { openOpenFlow, type OpenFlowOptions } from './open-openflow.ts';
import type { OpenFlowConnection } from './openflow-connection.ts';

describe('a connection to a bridge', () => {
  let owned: AsyncDisposableStack;

  beforeEach(() => {
    owned = new AsyncDisposableStack();
  });

  afterEach(async () => {
    await owned.disposeAsync();
  });

  it.each([
    { offered: [1, 4, 6], version: '1.3' },
    { offered: [5, 6], version: '1.4' },
    { offered: [6], version: '1.5' },
  ])('speaks $version where $offered are offered', async ({ offered, version }) => {
    const bridge = await open({ greeting: encodeHello(offered) });

    expect(bridge.version).toBe(version);
  });

  it('says what to set where only an older version is allowed', async () => {
    await expect(open({ greeting: encodeHello([1]) })).rejects.toMatchObject({
      code: 'unsupported',
      message: 'bridge br0 allows OpenFlow 1.0 only: allow 1.3 with ovs-vsctl add bridge br0 protocols OpenFlow13',
    });
  });

  it.each([
    { what: 'garbage', greeting: Buffer.from('{"method":"echo"}'), code: 'protocol' },
    { what: 'a message without a length', greeting: Buffer.alloc(8), code: 'protocol' },
    { what: 'something that is no greeting', greeting: encodeMessage(head(MessageType.error)), code: 'protocol' },
  ])('is refused to who begins with $what', async ({ greeting, code }) => {
    await expect(open({ greeting })).rejects.toMatchObject({ code });
  });

  it('is not waited for longer than the deadline', async () => {
    const clock = new ManualClock();
    const server = owned.use(await startFakeSwitch({ greeting: Buffer.alloc(0) }));
    let failure: unknown;

    void openOpenFlow({ socket: server.path, clock, requestTimeoutMs: 3000 }).catch((error: unknown) => {
      failure = error;
    });

    await expect.poll(() => (clock.advance(3000), failure)).toMatchObject({ code: 'timeout' });
  });

  it('answers the echo of the switch', async () => {
    const answered = Promise.withResolvers<Message>();
    const bridge = await open({
      behave: (message, socket) => {
        if (message.type === MessageType.echoReply) answered.resolve(message);
        else socket.write(encodeMessage(head(MessageType.echoRequest, 77), Buffer.from('alive?')));
      },
    });
    const asking = bridge.echo().catch((error: unknown) => error);

    expect(await answered.promise).toMatchObject({ transaction: 77, body: Buffer.from('alive?') });
    await bridge[Symbol.asyncDispose]();
    expect(await asking).toMatchObject({ code: 'closed' });
  });

  it('puts an answer together from its parts, and pairs answers with questions by number', async () => {
    const asked: Message[] = [];
    const bridge = await open({
      behave: (message, socket) => {
        asked.push(message);
        const [first, second] = asked;
        if (first === undefined || second === undefined) return;
        socket.write(multipartReply(second, table(2, 20)));
        socket.write(multipartReply(first, table(0, 10), true));
        socket.write(multipartReply(first, table(1, 11)));
      },
    });

    const [first, second] = await Promise.all([bridge.tableStats(), bridge.tableStats()]);

    expect(first).toMatchObject([
      { table: 0, flows: 10 },
      { table: 1, flows: 11 },
    ]);
    expect(second).toMatchObject([{ table: 2, flows: 20 }]);
  });

  it('names the error that the switch answers with, and goes on', async () => {
    let count = 0;
    const bridge = await open({
      behave: (message, socket) => {
        const refusal = encodeMessage(head(MessageType.error, message.transaction), Buffer.from('00010002', 'hex'));
        socket.write(count++ === 0 ? refusal : multipartReply(message, table(0, 1)));
      },
    });

    await expect(bridge.tableStats()).rejects.toMatchObject({ code: 'refused', message: /OFPBRC_BAD_MULTIPART/ });
    expect(await bridge.tableStats()).toHaveLength(1);
  });

  it('is given up when a question is not answered in time', async () => {
    const clock = new ManualClock();
    const reached = Promise.withResolvers<void>();
    const bridge = await open({ behave: () => reached.resolve() }, { clock });
    const asking = bridge.tableStats({ timeoutMs: 700 }).catch((error: unknown) => error);
    await reached.promise;

    clock.advance(700);

    expect(await asking).toMatchObject({ code: 'timeout' });
    expect(bridge.isClosed).toBe(true);
  });

  it('goes on when a caller does not want to wait any longer', async () => {
    const abort = new AbortController();
    const asked: Message[] = [];
    const bridge = await open({
      behave: (message, socket) => {
        asked.push(message);
        if (asked.length === 1) abort.abort();
        else for (const each of asked) socket.write(multipartReply(each, table(0, asked.length)));
      },
    });

    await expect(bridge.tableStats({ signal: abort.signal })).rejects.toMatchObject({ code: 'aborted' });

    expect(await bridge.tableStats()).toMatchObject([{ flows: 2 }]);
  });

  it('says that it is closed when the switch hangs up, then and afterwards', async () => {
    const bridge = await open({ behave: (_message, socket) => socket.destroy() });

    await expect(bridge.tableStats()).rejects.toMatchObject({ code: 'closed' });

    await expect(bridge.aggregate()).rejects.toMatchObject({ code: 'closed' });
    expect(bridge.isClosed).toBe(true);
  });

  it.each([
    {
      what: 'another kind of message',
      reply: (request: Message) => encodeMessage(head(6, request.transaction), Buffer.alloc(24)),
    },
    {
      what: 'statistics of something else',
      reply: () => encodeMessage(head(19, 1), Buffer.from('0004000000000000', 'hex')),
    },
    { what: 'half a table', reply: (request: Message) => multipartReply(request, Buffer.alloc(13)) },
    { what: 'an answer to what was never asked', reply: () => encodeMessage(head(19, 99), Buffer.alloc(8)) },
    { what: 'a message that cannot be', reply: () => Buffer.from('0413000000000001', 'hex') },
  ])('refuses $what', async ({ reply }) => {
    const bridge = await open({ behave: (message, socket) => socket.write(reply(message)) });

    await expect(bridge.tableStats()).rejects.toMatchObject({ code: 'protocol' });
  });

  it('does not gather an answer without end', async () => {
    const bridge = await open({
      behave: (message, socket) => {
        void pour(socket, multipartReply(message, Buffer.alloc(24 * 2700), true), 1000);
      },
    });

    await expect(bridge.tableStats()).rejects.toMatchObject({ code: 'too-large' });
    expect(bridge.isClosed).toBe(true);
  });

  it('sends nothing for a filter that makes no sense', async () => {
    const bridge = await open({});

    await expect(bridge.aggregate({ table: 300 })).rejects.toMatchObject({
      code: 'invalid-argument',
      message: /table/,
    });
  });

  it('makes the switch wait while nobody takes the flows, and loses none', async () => {
    const parts = 600;
    const flowsPerPart = 1000;
    let poured = 0;
    const bridge = await open({
      behave: (message, socket) => {
        const flows = Buffer.concat(Array.from({ length: flowsPerPart }, () => flow()));
        void pour(socket, multipartReply(message, flows, true), parts, (count) => (poured = count)).then(() =>
          socket.write(multipartReply(message, flow())),
        );
      },
    });
    const flows = bridge.flows()[Symbol.asyncIterator]();

    await flows.next();
    for (let index = 0; index < 200; index++) await turn();
    const pouredUnread = poured;
    let taken = 1;
    while (!(await flows.next()).done) taken++;

    // Half a megabyte of ours, and what the kernel holds on both sides.
    expect(pouredUnread).toBeLessThan(60);
    expect(taken).toBe(parts * flowsPerPart + 1);
  });

  it('lets go of a flow dump that nobody wants to the end', async () => {
    const bridge = await open({
      behave: (message, socket) => {
        if (message.body.readUInt16BE(0) === 3) socket.write(multipartReply(message, table(0, 7)));
        else void pour(socket, multipartReply(message, Buffer.concat([flow(), flow()]), true), 5000);
      },
    });

    for await (const first of bridge.flows()) {
      expect(first).toMatchObject({ table: 0, priority: 0 });
      break;
    }

    expect(await bridge.tableStats()).toMatchObject([{ flows: 7 }]);
  });

  async function open(options: FakeSwitchOptions, wishes: Partial<OpenFlowOptions> = {}): Promise<OpenFlowConnection> {
    const server = owned.use(await startFakeSwitch(options));
    return owned.use(await openOpenFlow({ socket: server.path, ...wishes }));
  }
});

/** Writes the same bytes again and again, as fast as they are read. */
async function pour(
  socket: Socket,
  bytes: Buffer,
  times: number,
  onPoured: (count: number) => void = () => undefined,
): Promise<void> {
  function* repeated(): Generator<Buffer> {
    for (let count = 1; count <= times; count++) {
      onPoured(count);
      yield bytes;
    }
  }
  try {
    await pipeline(repeated, socket, { end: false });
  } catch (error) {
    // The client hung up, as it may.
    if (!socket.destroyed) throw error;
  }
}

function head(type: number, transaction = 0): Omit<Message, 'body'> {
  return { version: 4, type, transaction };
}

function table(number: number, flows: number): Buffer {
  const entry = Buffer.alloc(24);
  entry.writeUInt8(number, 0);
  entry.writeUInt32BE(flows, 4);
  return entry;
}

/** A flow for every packet, that does nothing. */
function flow(): Buffer {
  const entry = Buffer.alloc(56);
  entry.writeUInt16BE(56, 0);
  entry.writeUInt16BE(1, 48);
  entry.writeUInt16BE(4, 50);
  return entry;
}
