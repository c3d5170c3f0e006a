import { startTestDaemon, type TestDaemon } from '@smalt/bed-libvirt';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { connect } from '../connect.ts';
import type { Connection } from '../connection.ts';
import { buildMessage, errorPayload } from '../fake-daemon/build-message.ts';
import { FakeDaemon, type FakeCall } from '../fake-daemon/fake-daemon.ts';
import { eventMessages } from '../generated/events.gen.ts';
import { procedures } from '../generated/procedures.gen.ts';
import { writeDomain, type Domain } from '../generated/structs.gen.ts';
import type { LibvirtWarning } from '../libvirt-warning.ts';
import { messageStatus, messageType } from '../rpc/message.ts';

const register = procedures.connectDomainEventCallbackRegisterAny.number;
const deregister = procedures.connectDomainEventCallbackDeregisterAny.number;
const domain: Domain = { name: 'web', uuid: '00000000-0000-4000-8000-000000000001', id: 1 };

describe('events of a real daemon', () => {
  let daemon: TestDaemon;
  let connection: Connection;

  beforeAll(async () => {
    daemon = await startTestDaemon();
    connection = await connect(daemon.uri);
  });

  afterAll(async () => {
    await connection.close();
    await daemon[Symbol.asyncDispose]();
  });

  it('reports the life of a domain, in order', async () => {
    await using events = await connection.domainEvents({ kinds: ['lifecycle'] });

    const created = await connection.domainCreateXml({ xml: domainXml('alpha') });
    await connection.domainSuspend({ domain: created });
    await connection.domainResume({ domain: created });
    await connection.domainDestroy({ domain: created });

    const seen = [];
    for (let turn = 0; turn < 4; turn++) seen.push((await events.next()).value);
    expect(seen).toMatchObject([2, 3, 4, 5].map((event) => ({ kind: 'lifecycle', event, domain: { name: 'alpha' } })));
  });

  it('reports the events of one domain only, when asked so', async () => {
    const one = await connection.domainCreateXml({ xml: domainXml('one') });
    const other = await connection.domainCreateXml({ xml: domainXml('other') });
    await using events = await connection.domainEvents({ kinds: ['lifecycle'], domain: one });

    await connection.domainDestroy({ domain: other });
    await connection.domainDestroy({ domain: one });

    expect((await events.next()).value).toMatchObject({ domain: { name: 'one' } });
  });

  it('lets several iterators wait for the same, each with its own events', async () => {
    const watched = await connection.domainCreateXml({ xml: domainXml('watched') });
    await using first = await connection.domainEvents({ kinds: ['lifecycle'] });
    await using second = await connection.domainEvents({ kinds: ['lifecycle'] });

    await connection.domainSuspend({ domain: watched });
    const both = [(await first.next()).value, (await second.next()).value];
    await first.return();
    await connection.domainResume({ domain: watched });
    const afterOneLeft = (await second.next()).value;
    await second.return();
    await using again = await connection.domainEvents({ kinds: ['lifecycle'] });
    await connection.domainDestroy({ domain: watched });

    expect(both).toMatchObject([{ event: 3 }, { event: 3 }]);
    expect(afterOneLeft).toMatchObject({ event: 4 });
    expect((await again.next()).value).toMatchObject({ event: 5 });
  });

  it('registers anew while the last iterator for the same is still leaving', async () => {
    for (let turn = 0; turn < 20; turn++) {
      const leaving = await connection.domainEvents({ kinds: ['lifecycle'] });
      const [, next] = await Promise.all([leaving.return(), connection.domainEvents({ kinds: ['lifecycle'] })]);
      expect(next.skipped).toEqual([]);
      await next.return();
    }
  });

  it('leaves out the kinds an older daemon does not have, and says which', async () => {
    await using events = await connection.domainEvents();

    expect(events.skipped).toContain('channel-lifecycle');
    expect(events.skipped).not.toContain('lifecycle');
  });

  it('fails with the name of a kind the daemon does not have', async () => {
    const events = connection.domainEvents({ kinds: ['lifecycle', 'vcpu-removed'] });

    await expect(events).rejects.toMatchObject({
      code: 'unsupported',
      message: expect.stringContaining('vcpu-removed'),
    });
  });

  it.each([{ kinds: [] }, { kinds: ['no-such-kind'] }])('refuses $kinds as kinds', async ({ kinds }) => {
    const events = connection.domainEvents({ kinds: kinds as never[] });

    await expect(events).rejects.toMatchObject({ code: 'invalid-arg', message: expect.stringContaining('kinds') });
  });

  it('reports networks and storage pools', async () => {
    await using networks = await connection.networkEvents({ kinds: ['lifecycle'] });
    await using pools = await connection.storagePoolEvents({ kinds: ['lifecycle'] });
    const network = await connection.networkLookupByName({ name: 'default' });
    const pool = await connection.storagePoolLookupByName({ name: 'default-pool' });

    await connection.networkDestroy({ network });
    await connection.storagePoolDestroy({ pool });

    expect((await networks.next()).value).toMatchObject({ kind: 'lifecycle', network: { name: 'default' }, event: 3 });
    expect((await pools.next()).value).toMatchObject({ kind: 'lifecycle', pool: { name: 'default-pool' }, event: 3 });
    await connection.networkCreate({ network });
    await connection.storagePoolCreate({ pool });
  });

  it('registers for host devices, and says that the test driver has no secrets and no QEMU', async () => {
    await using devices = await connection.nodeDeviceEvents();

    expect(devices.skipped).toEqual([]);
    await expect(connection.secretEvents()).rejects.toMatchObject({ code: 'unsupported' });
    await expect(connection.qemuMonitorEvents()).rejects.toMatchObject({ code: 'unsupported' });
  });

  it('registers for the loss of the hypervisor, once at a time', async () => {
    const first = await connection.hypervisorLostEvents();
    const second = connection.hypervisorLostEvents();

    await expect(second).rejects.toMatchObject({ code: 'operation-invalid' });
    await first.return();
    await using again = await connection.hypervisorLostEvents();
    expect(again.skipped).toEqual([]);
  });

  it('ends its registration at the daemon when the loop is left', async () => {
    const events = await connection.domainEvents({ kinds: ['lifecycle'] });
    const created = await connection.domainCreateXml({ xml: domainXml('beta') });

    for await (const event of events) {
      expect(event).toMatchObject({ kind: 'lifecycle' });
      break;
    }

    await connection.domainDestroy({ domain: created });
    expect(await events.next()).toEqual({ value: undefined, done: true });
  });

  it('delivers what it has and ends quietly when the connection is closed', async () => {
    const own = await connect(daemon.uri);
    const events = await own.domainEvents({ kinds: ['lifecycle'] });
    const created = await own.domainCreateXml({ xml: domainXml('gamma') });
    await own.domainDestroy({ domain: created });

    await own.close();

    const seen = [];
    for await (const event of events) seen.push(event);
    expect(seen).toMatchObject([{ event: 2 }, { event: 5 }]);
  });
});

describe('events of a daemon that can be steered', () => {
  it('loses no event that lies right behind the reply to the registration', async () => {
    await using world = await fakeWorld((call) => {
      const reply = buildMessage({ ...call.header, type: messageType.reply, payload: (writer) => writer.int32(7) });
      call.socket.write(Buffer.concat([reply, lifecycle(7, 1)]));
    });

    const events = await world.connection.domainEvents({ kinds: ['lifecycle'] });

    expect((await events.next()).value).toMatchObject({ kind: 'lifecycle', detail: 1, domain });
  });

  it('loses no event that overtakes the reply to the registration', async () => {
    await using world = await fakeWorld((call) => {
      const reply = buildMessage({ ...call.header, type: messageType.reply, payload: (writer) => writer.int32(7) });
      call.socket.write(Buffer.concat([lifecycle(8, 9), lifecycle(7, 1), lifecycle(7, 2), reply, lifecycle(7, 3)]));
    });

    const events = await world.connection.domainEvents({ kinds: ['lifecycle'] });

    const details = [];
    for (let turn = 0; turn < 3; turn++) details.push((await events.next()).value);
    expect(details).toMatchObject([{ detail: 1 }, { detail: 2 }, { detail: 3 }]);
  });

  it('keeps a bounded number of events, and counts the rest', async () => {
    await using world = await fakeWorld((call) => {
      call.reply({ payload: (writer) => writer.int32(7) });
      for (let detail = 0; detail < 100; detail++) call.socket.write(lifecycle(7, detail));
    });
    const events = await world.connection.domainEvents({ kinds: ['lifecycle'], maxQueued: 3 });
    await world.connection.call(procedures.connectSupportsFeature, { feature: 1 });

    const seen = [];
    for (let turn = 0; turn < 4; turn++) seen.push((await events.next()).value);

    expect(seen).toMatchObject([{ detail: 0 }, { detail: 1 }, { detail: 2 }, { kind: 'overflow', dropped: 97 }]);
  });

  it('counts an event it cannot decode, warns of it, and goes on with the next', async () => {
    const broken = buildMessage({
      type: messageType.message,
      procedure: eventMessages.domainEventCallbackLifecycle.number,
      payload: Buffer.from([0, 0, 0, 7, 0, 0]),
    });
    await using world = await fakeWorld((call) => {
      call.reply({ payload: (writer) => writer.int32(7) });
      call.socket.write(Buffer.concat([broken, buildMessage({ type: 2, procedure: 9999 }), lifecycle(7, 1)]));
    });

    const events = await world.connection.domainEvents({ kinds: ['lifecycle'] });

    const seen = [(await events.next()).value, (await events.next()).value];
    expect(seen).toMatchObject([{ kind: 'overflow', dropped: 1 }, { detail: 1 }]);
    expect(world.warnings).toMatchObject([{ kind: 'undecodable-event' }, { kind: 'unknown-event' }]);
    expect(world.connection.warnings).toBe(2);
  });

  it('throws the reason after the last event when the connection is lost', async () => {
    await using world = await fakeWorld((call) => {
      call.reply({ payload: (writer) => writer.int32(7) });
      call.socket.end(Buffer.concat([lifecycle(7, 1), lifecycle(7, 2)]));
    });
    const events = await world.connection.domainEvents({ kinds: ['lifecycle'] });
    const seen: unknown[] = [];

    const loop = (async () => {
      for await (const event of events) seen.push(event);
    })();

    await expect(loop).rejects.toMatchObject({ code: 'connection-lost' });
    expect(seen).toMatchObject([{ detail: 1 }, { detail: 2 }]);
  });

  it('takes back the registrations that worked when another one fails', async () => {
    const taken: number[] = [];
    await using world = await fakeWorld((call) => {
      const number = call.payload.readInt32BE(0);
      if (call.header.procedure === deregister) taken.push(number);
      if (call.header.procedure === deregister) call.reply({});
      else if (number === 0) call.reply({ payload: (writer) => writer.int32(7) });
      else call.reply({ status: messageStatus.error, payload: errorPayload(38, 'out of luck') });
    });

    const events = world.connection.domainEvents({ kinds: ['lifecycle', 'reboot'] });

    await expect(events).rejects.toMatchObject({ code: 'system-error' });
    expect(taken).toEqual([7]);
  });

  it('tells that the daemon lost its hypervisor, and why', async () => {
    await using world = await fakeWorld((call) => {
      call.reply();
      const { number } = eventMessages.connectEventConnectionClosed;
      call.socket.write(
        buildMessage({ type: messageType.message, procedure: number, payload: (writer) => writer.int32(2) }),
      );
    });

    const events = await world.connection.hypervisorLostEvents();

    expect((await events.next()).value).toEqual({ kind: 'hypervisor-lost', reason: 2 });
  });

  it('ends when the signal fires, and tells the daemon', async () => {
    const controller = new AbortController();
    const ended = Promise.withResolvers<number>();
    await using world = await fakeWorld((call) => {
      if (call.header.procedure === deregister) ended.resolve(call.payload.readInt32BE(0));
      call.reply(call.header.procedure === register ? { payload: (writer) => writer.int32(7) } : {});
    });
    const events = await world.connection.domainEvents({ kinds: ['lifecycle'], signal: controller.signal });
    const next = events.next();

    controller.abort();

    await expect(next).rejects.toMatchObject({ code: 'aborted' });
    await expect(ended.promise).resolves.toBe(7);
  });
});

interface FakeWorld extends AsyncDisposable {
  readonly connection: Connection;
  readonly warnings: LibvirtWarning[];
}

async function fakeWorld(handler: (call: FakeCall) => void): Promise<FakeWorld> {
  const daemon = await FakeDaemon.listen(handler);
  const warnings: LibvirtWarning[] = [];
  const connection = await connect(daemon.uri, { onWarning: (warning) => warnings.push(warning) });
  return {
    connection,
    warnings,
    [Symbol.asyncDispose]: async () => {
      connection.destroy();
      await daemon[Symbol.asyncDispose]();
    },
  };
}

function lifecycle(callbackID: number, detail: number): Buffer {
  return buildMessage({
    type: messageType.message,
    procedure: eventMessages.domainEventCallbackLifecycle.number,
    serial: 1,
    payload: (writer) => {
      writer.int32(callbackID);
      writeDomain(writer, domain);
      writer.int32(2);
      writer.int32(detail);
    },
  });
}

function domainXml(name: string): string {
  return `<domain type='test'><name>${name}</name><memory>8192</memory><os><type>hvm</type></os></domain>`;
}
