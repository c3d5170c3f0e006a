import { readFileSync } from 'node:fs';

import { XdrReader } from '@smalt/xdr';
import { describe, expect, it } from 'vitest';

import { connect } from './connect.ts';
import { FakeDaemon, type FakeCall } from './fake-daemon/fake-daemon.ts';
import { procedures } from './generated/procedures.gen.ts';
import { LENGTH_BYTES, messageStatus, readHeader, remoteProgram, type MessageHeader } from './rpc/message.ts';
import { readRemoteError } from './rpc/read-error.ts';

interface RecordedMessage {
  readonly from: 'client' | 'daemon';
  readonly header: MessageHeader;
  readonly payload: Buffer;
}

const recording = readRecording();

describe('a recorded session of virsh with a real daemon', () => {
  it('is repeated byte for byte: each of our calls is one that virsh made, and its recorded reply is understood', async () => {
    await using daemon = await FakeDaemon.listen(replay, { opensByItself: false });
    await using connection = await connect(daemon.uri);
    const domain = await connection.domainLookupByName({ name: 'test' });
    const network = await connection.networkLookupByName({ name: 'default' });
    const pool = await connection.storagePoolLookupByName({ name: 'default-pool' });

    const answers = {
      type: await connection.connectGetType(),
      version: await connection.connectGetVersion(),
      hostname: await connection.connectGetHostname(),
      node: await connection.nodeGetInfo(),
      domains: await connection.connectListAllDomains({ flags: 3 }),
      osType: await connection.domainGetOsType({ domain }),
      info: await connection.domainGetInfo({ domain }),
      isPersistent: await connection.domainIsPersistent({ domain }),
      autostart: await connection.domainGetAutostart({ domain }),
      stats: await connection.connectGetAllDomainStats({ domains: [domain], stats: 0 }),
      scheduler: await connection.domainGetSchedulerParameters({ domain }),
      networks: await connection.connectListAllNetworks({ flags: 3 }),
      bridge: await connection.networkGetBridgeName({ network }),
      pool: await connection.storagePoolGetInfo({ pool }),
      xml: await connection.domainGetXmlDesc({ domain }),
    };

    expect(answers).toMatchObject({
      type: 'TEST',
      version: 2n,
      hostname: 'host.test',
      node: { model: 'i686', memory: 3_145_728n, cpus: 16 },
      domains: [{ name: 'test', uuid: '6695eb01-f6a4-8304-79aa-97f2502e193f', id: 1 }],
      osType: 'linux',
      info: { state: 1, maxMemory: 8_388_608n, virtualCpus: 2 },
      isPersistent: 1,
      autostart: 0,
      stats: [{ domain: { name: 'test' }, params: { 'state.state': 1 } }],
      scheduler: { weight: 50 },
      networks: [{ name: 'default' }],
      bridge: 'virbr0',
      pool: { state: 2 },
      xml: expect.stringContaining('<name>test</name>'),
    });
  });

  it('has its errors understood', async () => {
    await using daemon = await FakeDaemon.listen(replay, { opensByItself: false });
    await using connection = await connect(daemon.uri);

    await expect(connection.domainLookupByName({ name: 'nobody' })).rejects.toMatchObject({
      code: 'no-domain',
      domain: 'test',
    });
  });

  it('holds no reply that cannot be decoded to its last byte', () => {
    const remote = Object.values(procedures).filter((procedure) => procedure.program === remoteProgram);
    const byNumber = new Map(remote.map((procedure) => [procedure.number, procedure]));
    const replies = recording.filter((message) => message.from === 'daemon');

    for (const { header, payload } of replies) {
      const procedure = byNumber.get(header.procedure);
      const reader = new XdrReader(payload);
      if (header.status === messageStatus.error) readRemoteError(reader);
      else procedure?.readResult(reader);

      expect([procedure?.name, reader.remaining]).toEqual([procedure?.name, 0]);
    }
    expect(replies.length).toBeGreaterThan(50);
  });
});

/** Answers a call as the daemon did when virsh sent the very same bytes, serial aside. */
function replay(call: FakeCall): void {
  const made = recording.find(
    ({ from, header, payload }) =>
      from === 'client' && header.procedure === call.header.procedure && payload.equals(call.payload),
  );
  const reply = recording.find(({ from, header }) => from === 'daemon' && header.serial === made?.header.serial);
  if (reply === undefined) {
    call.fail(1, `virsh made no call ${call.header.procedure} with ${call.payload.toString('hex')}`);
    return;
  }
  call.reply({ status: reply.header.status, payload: reply.payload });
}

function readRecording(): RecordedMessage[] {
  const path = new URL('fixtures/virsh-session.json', import.meta.url);
  const { messages } = JSON.parse(readFileSync(path, 'utf8')) as {
    messages: { from: 'client' | 'daemon'; bytes: string }[];
  };
  return messages.map(({ from, bytes }) => {
    const reader = new XdrReader(Buffer.from(bytes, 'hex'), LENGTH_BYTES);
    return { from, header: readHeader(reader), payload: reader.rest() };
  });
}
