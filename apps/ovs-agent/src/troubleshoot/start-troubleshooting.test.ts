import { X509Certificate } from 'node:crypto';
import { stat } from 'node:fs/promises';
import { connect } from 'node:net';
import { once } from 'node:events';
import { join } from 'node:path';

import type { Guest } from '@smalt/bed-ovs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { packetsIn } from './fixtures/packets-in.ts';
import { readAnswer, startTroubleshootingBed, type TroubleshootingBed } from './fixtures/troubleshooting-bed.ts';

let bed: TroubleshootingBed;
let one: Guest;

beforeAll(async () => {
  bed = await startTroubleshootingBed();
  one = await bed.node.plugGuest({ device: 'tap1', address: '192.168.7.1/24', mac: '52:54:00:00:00:01' });
  await bed.node.plugGuest({ device: 'tap2', address: '192.168.7.2/24', mac: '52:54:00:00:00:02' });
  await bed.node.vsctl('add-br', 'br-ex', '--', 'set', 'bridge', 'br-ex', 'datapath_type=netdev');
  await patch('br-int', 'to-ex', 'to-int');
  await patch('br-ex', 'to-int', 'to-ex');
  const bond = await bed.node.addBond({ bridge: 'br-int', lacp: 'off', mode: 'active-backup' });
  await bond.settled();
  await known(['tap1', 'tap2', 'to-ex', 'to-int']);
});

afterAll(() => bed[Symbol.asyncDispose]());

describe('the certificate', () => {
  it('is made by the agent, names its address, and its key is for nobody else', async () => {
    const { mode } = await stat(join(bed.settings.stateDirectory, 'troubleshooting.key'));

    expect(mode.toString(8)).toBe('100600');
    expect(new X509Certificate(bed.authority).checkIP('127.0.0.1')).toBe('127.0.0.1');
  });

  it('is the only way in: plain HTTP is not answered', async () => {
    const socket = connect(bed.agent.troubleshootingPort ?? 0, '127.0.0.1');
    const heard: Buffer[] = [];
    socket.on('data', (chunk) => heard.push(chunk)).on('error', () => undefined);
    socket.write('GET /v1/diagnostics HTTP/1.1\r\nHost: a\r\n\r\n');
    await once(socket, 'close');

    expect(Buffer.concat(heard).toString('latin1')).not.toContain('HTTP/1.1 200');
  });
});

describe('a caller', () => {
  it.each([
    ['without a token', { token: undefined }, 401, 'shows no token'],
    ['with a token of nobody', { token: 'abc' }, 401, 'does not know this token'],
  ])('%s is not let in', async (_, call, status, detail) => {
    const answer = await bed.call('GET', '/v1/diagnostics', call);

    expect(answer.body).toMatchObject({ status, detail: expect.stringContaining(detail) });
    expect([answer.status, answer.headers['content-type']]).toEqual([status, 'application/problem+json']);
  });

  it('may do what its role says for this OVSNode and nothing else', async () => {
    const token = await bed.account('looks', { diagnostics: 'get' });

    const seen = await bed.call('GET', '/v1/diagnostics', { token });
    const refused = await Promise.all([
      bed.call('POST', '/v1/trace', { token, body: trace({}) }),
      bed.call('POST', '/v1/captures', { token, body: { port: 'tap1' } }),
      bed.call('GET', '/v1/flows?bridge=br-int', { token }),
    ]);

    expect(seen.status).toBe(200);
    expect(refused.map(({ status }) => status)).toEqual([403, 403, 403]);
    expect(refused[0]?.body['detail']).toContain(
      'system:serviceaccount:ovn-system:looks may not create ovsnodes/trace of ovs.c5c3.io, for n1 in ovn-system',
    );
  });

  it('leaves a line that says who did what, without the token', async () => {
    await bed.call('GET', '/v1/ports/tap1');

    const line = bed.agents.log.findLast((each) => each['call'] === 'GET /v1/ports/tap1');
    expect(line).toMatchObject({ caller: 'system:serviceaccount:ovn-system:everything', status: 200 });
    expect(JSON.stringify(bed.agents.log)).not.toMatch(/Bearer ey|eyJ/);
  });

  it.each([
    { what: 'an unknown path', line: 'GET /v2', call: {}, status: 404, detail: 'there is no GET /v2' },
    { what: 'another method', line: 'PUT /v1/trace', call: {}, status: 404, detail: 'only POST' },
    { what: 'a broken escape', line: 'GET /v1/ports/%ff', call: {}, status: 404, detail: 'there is no GET' },
    { what: 'no JSON', line: 'POST /v1/trace', call: { rawBody: '{' }, status: 422, detail: 'the body is not JSON' },
    {
      what: 'deep JSON',
      line: 'POST /v1/trace',
      call: { rawBody: '['.repeat(40) },
      status: 422,
      detail: 'nested more than 16 deep',
    },
    {
      what: 'a large body',
      line: 'POST /v1/trace',
      call: { rawBody: ' '.repeat(70_000) },
      status: 413,
      detail: 'more than 65536 bytes',
    },
    {
      what: 'a list',
      line: 'POST /v1/trace',
      call: { rawBody: '[]' },
      status: 422,
      detail: 'must be an object in JSON',
    },
  ])('that sends $what hears what is wrong', async ({ line, call, status, detail }) => {
    const [method = '', path = ''] = line.split(' ');

    const answer = await bed.call(method, path, call);

    expect([answer.status, answer.body['detail']]).toEqual([status, expect.stringContaining(detail)]);
  });

  it('finds the description of everything', async () => {
    const { body } = await bed.call('GET', '/openapi.json');

    expect(Object.keys(Object(body['paths']))).toEqual([
      '/v1/trace',
      '/v1/captures',
      '/v1/flows',
      '/v1/bridges/{name}',
      '/v1/ports/{name}',
      '/v1/diagnostics',
      '/v1/topology',
    ]);
  });
});

describe('POST /v1/trace', () => {
  it('gives the path of a packet as a tree, and the text of the switch', async () => {
    await bed.node.ofctl('add-flow', 'br-int', 'table=0,priority=50,icmp,cookie=0x77,actions=resubmit(,9)');
    await bed.node.ofctl('add-flow', 'br-int', 'table=9,actions=output:tap2');

    const { status, body } = await bed.call('POST', '/v1/trace', { body: trace({ protocol: 'icmp', ttl: 64 }) });

    expect(status).toBe(200);
    expect(body['verdict']).toEqual({ kind: 'output', ports: expect.any(Array) });
    const [step] = Object(body)['passes'][0].steps;
    expect(step).toMatchObject({ kind: 'table', table: 0, priority: 50, cookie: 0x77 });
    expect(body['text']).toContain('Datapath actions');
  });

  it('names everything that is wrong at once', async () => {
    const body = {
      bridge: 'br-none',
      packet: { inPort: 'tap1', protocol: 'icmp', sourcePort: 5, ethernetSource: 'x', ipSource: 'fd00::1', colour: 1 },
    };

    const answer = await bed.call('POST', '/v1/trace', { body });

    const fields = Object(answer.body)['problems'].map(({ field }: { field: string }) => field);
    expect(fields.toSorted()).toEqual([
      'bridge',
      'packet.colour',
      'packet.ethernetSource',
      'packet.ipSource',
      'packet.sourcePort',
    ]);
  });

  it.each(['tap1,actions=drop', 'tap1"', 'tap1; reboot', '$(id)', '-generate', 'tap1\n', ''])(
    'refuses %j as a port',
    async (inPort) => {
      const answer = await bed.call('POST', '/v1/trace', { body: { bridge: 'br-int', packet: { inPort } } });

      expect([answer.status, answer.body['detail']]).toEqual([422, expect.stringContaining('packet.inPort')]);
    },
  );
});

describe('GET /v1/flows', () => {
  it('asks the switch for what is wanted, as JSON and as text', async () => {
    await bed.node.ofctl('add-flow', 'br-ex', 'table=3,cookie=0x5,in_port=to-int,actions=drop');
    await bed.node.ofctl('add-flow', 'br-ex', 'table=3,cookie=0x6,actions=NORMAL');

    const json = await bed.call('GET', '/v1/flows?bridge=br-ex&table=3&cookie=0x5&inPort=to-int');
    const text = await bed.call('GET', '/v1/flows?bridge=br-ex&table=3&format=text');

    expect(json.headers['content-type']).toBe('application/x-ndjson');
    expect(JSON.parse(json.bytes.toString())).toMatchObject({ table: 3, cookie: '0x5', actions: 'drop' });
    expect(text.bytes.toString().trim().split('\n')).toHaveLength(2);
    expect(text.bytes.toString()).toContain('cookie=0x6, table=3');
    expect(text.trailers).toMatchObject({ 'smalt-flows': '2', 'smalt-complete': 'true' });
  });

  it('ends at a limit and says so', async () => {
    const flows = Array.from({ length: 2_000 }, (_, index) => `table=7,priority=${index + 1},actions=drop`);
    await bed.node.addFlows('br-ex', flows);

    const answer = await bed.call('GET', '/v1/flows?bridge=br-ex&table=7&limit=1500');

    expect(answer.bytes.toString().trim().split('\n')).toHaveLength(1_500);
    expect(answer.trailers).toMatchObject({ 'smalt-flows': '1500', 'smalt-complete': 'false' });
  });

  it.each([
    ['', 'bridge: is missing'],
    ['bridge=br-none', 'there is no bridge "br-none"'],
    ['bridge=br-ex&table=255&limit=x&cookie=z&inPort=none&a=1', 'table: must be a whole number from 0 to 254'],
    ['bridge=br-ex&table=1&table=2', 'table: is given more than once'],
    ['bridge=br-ex&ipSource=nowhere', 'ipSource'],
  ])('refuses ?%s', async (query, detail) => {
    const answer = await bed.call('GET', `/v1/flows?${query}`);

    expect([answer.status, answer.body['detail']]).toEqual([422, expect.stringContaining(detail)]);
  });
});

describe('diagnostics', () => {
  it('tell all about a bridge, a port and the switch', async () => {
    await send('192.168.7.2');

    const bridge = await bed.call('GET', '/v1/bridges/br-int');
    const port = await bed.call('GET', '/v1/ports/tap1');
    const whole = await bed.call('GET', '/v1/diagnostics');

    expect(bridge.body).toMatchObject({ name: 'br-int', learned: { value: expect.any(Array) } });
    expect(port.body).toMatchObject({
      bridge: 'br-int',
      name: 'tap1',
      interfaces: [{ name: 'tap1', linkState: 'up' }],
    });
    expect(Object(port.body['changes']).length).toBeGreaterThan(0);
    expect(whole.body).toMatchObject({
      database: { state: 'connected' },
      daemons: { 'ovs-vswitchd': { state: 'answering' } },
      datapaths: { value: expect.any(Array) },
    });
  });

  it.each([
    ['/v1/bridges/br-none', 'there is no bridge "br-none" here; there are: br-ex, br-int, br-tor'],
    ['/v1/ports/nothing', 'there is no port "nothing"'],
  ])('of %s say what there is', async (path, detail) => {
    const answer = await bed.call('GET', path);

    expect([answer.status, answer.body['detail']]).toEqual([404, expect.stringContaining(detail)]);
  });
});

describe('POST /v1/captures', () => {
  it('streams the packets of a device until there are as many as asked for', async () => {
    const body = { port: 'tap1', filter: 'udp port 4242', packets: 2, seconds: 20 };
    const response = await bed.open('POST', '/v1/captures', { body });
    await send('192.168.7.2');

    const answer = await readAnswer(response);

    expect([answer.status, answer.headers['content-type']]).toEqual([200, 'application/vnd.tcpdump.pcap']);
    expect(packetsIn(answer.bytes)).toHaveLength(2);
    expect(packetsIn(answer.bytes).every((packet) => packet.readUInt8(23) === 17)).toBe(true);
    expect(answer.trailers).toMatchObject({ 'smalt-capture-end': 'packets', 'smalt-capture-packets': '2' });
  });

  it('has the switch copy packets of a port that is no device, and leaves nothing behind', async () => {
    const response = await bed.open('POST', '/v1/captures', {
      body: { port: 'bond0', filter: 'arp', packets: 1, seconds: 20 },
    });
    const during = await bed.node.vsctl('--columns=name,external_ids', 'list', 'mirror');
    await send('192.168.7.99');

    const answer = await readAnswer(response);

    expect(during).toMatch(/smalt-capture="?[0-9a-f-]{36}/);
    expect(during).toContain('smalt-expires');
    expect(packetsIn(answer.bytes)).toHaveLength(1);
    await expect.poll(() => bed.node.vsctl('list', 'mirror')).toBe('');
    expect(await bed.node.vsctl('list-ports', 'br-int')).not.toContain('smalt-');
  });

  it('ends when its time is over, with a capture that can be read', async () => {
    const answer = await bed.call('POST', '/v1/captures', {
      body: { bridge: 'br-ex', seconds: 1, filter: 'udp port 9' },
    });

    expect([answer.status, answer.trailers['smalt-capture-end'], packetsIn(answer.bytes)]).toEqual([
      200,
      'seconds',
      [],
    ]);
  });

  it('ends with the caller, and everything with it', async () => {
    const body = { bridge: 'br-int', seconds: 60, filter: 'udp port 9' };
    const response = await bed.open('POST', '/v1/captures', { body });
    const again = await bed.call('POST', '/v1/captures', { body });

    response.destroy();

    expect([again.status, again.body['detail']]).toEqual([
      409,
      expect.stringContaining('captures the bridge br-int already'),
    ]);
    await expect.poll(() => bed.node.vsctl('list', 'mirror')).toBe('');
    await expect.poll(async () => /^smalt_ovs_captures (\d+)$/m.exec(await scrape())?.[1]).toBe('0');
  });

  it.each([
    [{}, 'port: give either port or bridge'],
    [{ port: 'tap1', bridge: 'br-int' }, 'give either port or bridge'],
    [{ port: 'to-ex' }, 'capture all of it with {"bridge": "br-int"}'],
    [{ port: 'none' }, 'no bridge here has a port or interface "none"'],
    [{ bridge: 'none' }, 'there is no bridge "none" here; there are: br-ex, br-int, br-tor'],
    [{ port: 'tap1', seconds: 301 }, 'seconds: must be a whole number from 1 to 300'],
    [{ port: 'tap1', filter: 'host example.org' }, 'filter: "example.org" at character 6'],
    [{ port: 'tap1', filter: '-w /etc/passwd' }, 'filter: "-" at character 1'],
    [{ port: 'tap1', filter: 'tcp and udp and vlan 5 and arp and ip6 and rarp host 1.2.3.4' }, 'filter: '],
    [{ port: '-i', filtr: 'tcp' }, 'filtr: is unknown; did you mean filter?'],
    [{ port: 'tap1 -z reboot' }, 'port: must be a name'],
  ])('refuses %j', async (body, detail) => {
    const answer = await bed.call('POST', '/v1/captures', { body });

    expect([answer.status, answer.body['detail']]).toEqual([422, expect.stringContaining(detail)]);
    expect(await bed.node.vsctl('list', 'mirror')).toBe('');
  });

  it('says what tcpdump says of a filter that makes no sense', async () => {
    const answer = await bed.call('POST', '/v1/captures', {
      body: { port: 'tap1', filter: 'arp and ip multicast and stp and tcp port 5' },
    });

    expect(answer.status).toBe(422);
    expect(answer.body['detail']).toContain('tcpdump cannot use it');
  });
});

function trace(packet: Readonly<Record<string, unknown>>): unknown {
  return { bridge: 'br-int', packet: { inPort: 'tap1', ...packet } };
}

/** The guest sends a few packets; to an address that nobody has it only asks everybody who has it. */
async function send(address: string): Promise<void> {
  await one.run('bash', '-c', `for i in 1 2 3; do echo $i > /dev/udp/${address}/4242; done`);
}

async function scrape(): Promise<string> {
  return await bed.agent.metrics.scrapeText(AbortSignal.timeout(5_000));
}

async function patch(bridge: string, port: string, peer: string): Promise<void> {
  await bed.node.vsctl('add-port', bridge, port, '--', 'set', 'interface', port, 'type=patch', `options:peer=${peer}`);
}

/** Resolves when the agent knows these interfaces as attached, and those of the kernel by their number. */
async function known(names: readonly string[]): Promise<void> {
  const { database } = bed.agent.access;
  const isKnown = (): boolean => {
    const devices = [...database.cache.Interface.values()].filter(({ ofport }) => (ofport ?? -1n) > 0n);
    return names.every((name) =>
      devices.some((each) => each.name === name && (each.type !== '' || (each.ifindex ?? 0n) > 0n)),
    );
  };
  if (isKnown()) return;
  for await (const _ of database.changes(AbortSignal.timeout(10_000))) if (isKnown()) return;
}
