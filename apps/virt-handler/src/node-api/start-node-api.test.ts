import { X509Certificate } from 'node:crypto';
import { stat } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';

import { DomainState } from '@smalt/libvirt';
import type { WebSocketStream } from '@smalt/websocket';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { openConsole } from './streams/open-console.ts';
import { GUEST_PATH, startNodeApiBed, type NodeApiBed } from './fixtures/node-api-bed.ts';

let bed: NodeApiBed;

beforeAll(async () => {
  bed = await startNodeApiBed();
  await using console = await bed.open(`${GUEST_PATH}/console`);
  await heard(console, 'echo-ready');
});

afterAll(() => bed[Symbol.asyncDispose]());

describe('the certificate', () => {
  it('is made by the handler, names its address, and its key is for nobody else', async () => {
    const { mode } = await stat(join(bed.settings.stateDirectory, 'node-api.key'));

    const authority = bed.api.annotations['smalt.dev/virt-handler-ca'] ?? '';

    expect(mode.toString(8)).toBe('100600');
    expect(new X509Certificate(authority).checkIP('127.0.0.1')).toBe('127.0.0.1');
  });

  it('is the only way in: plain HTTP is not answered', async () => {
    const socket = connect(bed.api.port, '127.0.0.1').on('error', () => undefined);
    const read = socket.toArray();
    socket.write(`PUT ${GUEST_PATH}/pause HTTP/1.1\r\nHost: a\r\n\r\n`);

    const bytes = Buffer.concat(await read).toString('latin1');

    expect(bytes).not.toContain('HTTP/1.1 200');
  });
});

describe('a caller', () => {
  it.each([
    ['without a token', { token: undefined }, 'shows no token'],
    ['with a token of nobody', { token: 'abc' }, 'does not know this token'],
  ])('%s is let in neither for a call nor for a stream', async (_, call, text) => {
    const answer = await bed.call('PUT', `${GUEST_PATH}/pause`, call);
    const refusal = bed.open(`${GUEST_PATH}/console`, call);

    expect(answer).toMatchObject({ status: 401, body: { kind: 'Status', reason: 'Unauthorized' } });
    expect(answer.body['message']).toContain(text);
    await expect(refusal).rejects.toMatchObject({ code: 'refused', httpStatus: 401 });
  });

  it('with a token for the handler of another node is let in nowhere, whatever that one may do', async () => {
    const rights = { console: 'get', pause: 'update' };
    const token = await bed.account('elsewhere', rights, 'n2');

    const answer = await bed.call('PUT', `${GUEST_PATH}/pause`, { token });
    const refusal = bed.open(`${GUEST_PATH}/console`, { token });

    expect(answer).toMatchObject({ status: 401, body: { reason: 'Unauthorized' } });
    await expect(refusal).rejects.toMatchObject({ code: 'refused', httpStatus: 401 });
  });

  it('with a token for the audience of the version before is let in, where that is set', async () => {
    const token = await bed.account('late', { console: 'get' }, 'formerly');

    const answer = await bed.call('PUT', `${GUEST_PATH}/pause`, { token });

    // It is known who asks, and so what that one may not.
    expect(answer).toMatchObject({ status: 403, body: { reason: 'Forbidden' } });
  });

  it('may do what its role says and nothing else', async () => {
    const token = await bed.account('looks', { console: 'get' });

    const refused = await bed.call('PUT', `${GUEST_PATH}/pause`, { token });
    await using console = await bed.open(`${GUEST_PATH}/console`, { token });

    expect(console.protocol).toBe('plain.kubevirt.io');
    expect(refused.body).toMatchObject({
      code: 403,
      message: expect.stringContaining(
        'may not update virtualmachineinstances/pause of subresources.kubevirt.io, for web',
      ),
    });
  });

  it('leaves a line that says who did what, without the token', async () => {
    await bed.call('GET', `${GUEST_PATH}/userlist`);

    const line = bed.log.findLast(({ step }) => step === 'userlist');
    expect(line).toMatchObject({
      caller: 'system:serviceaccount:default:everything',
      resource: 'default/web',
      status: 200,
    });
    expect(JSON.stringify(bed.log)).not.toMatch(/Bearer ey|eyJ/);
    expect(bed.metrics.expose()).toContain('smalt_virt_handler_calls_total{subresource="userlist",status="200"}');
  });

  it.each([
    ['an unknown path', 'GET /v2', 404, 'there is no GET /v2'],
    ['another method', `POST ${GUEST_PATH}/pause`, 405, 'is for PUT alone'],
    ['a name that no object has', 'GET /v1/namespaces/default/virtualmachineinstances/..%2F/vnc', 404, 'there is no'],
    [
      'an instance that is not here',
      'PUT /v1/namespaces/default/virtualmachineinstances/other/pause',
      404,
      'has no domain on this node',
    ],
    ['no upgrade for a stream', `GET ${GUEST_PATH}/console`, 400, 'console is a WebSocket'],
    ['a port that is none', `GET ${GUEST_PATH}/portforward/70000`, 400, '70000 is no port'],
    ['a protocol that is not spoken', `GET ${GUEST_PATH}/portforward/53/udp`, 400, 'by tcp alone'],
  ])('that sends %s hears what is wrong', async (_, line, status, text) => {
    const [method = '', path = ''] = line.split(' ');

    const answer = await bed.call(method, path);

    expect([answer.status, answer.body['message']]).toEqual([status, expect.stringContaining(text)]);
  });

  it.each([
    ['no JSON', '{', 'the body is not JSON'],
    ['deep JSON', '['.repeat(40), 'nested more than 16 deep'],
    ['a large body', ' '.repeat(70_000), 'more than 16384 bytes'],
    ['a list', '[]', 'must be an object'],
    ['a duration that is none', '{"unfreezeTimeout":"soon"}', 'unfreezeTimeout: "soon" is no duration'],
  ])('that sends %s with a freeze hears what is wrong', async (_, rawBody, text) => {
    const answer = await bed.call('PUT', `${GUEST_PATH}/freeze`, { rawBody });

    expect([answer.status, answer.body['message']]).toEqual([400, expect.stringContaining(text)]);
  });
});

describe('the console', () => {
  it('goes both ways', async () => {
    await using console = await bed.open(`${GUEST_PATH}/console`);

    await console.write(Buffer.from('Grüße\n'));

    expect(await heard(console, 'echo: Grüße')).toContain('echo: Grüße');
  });

  it('belongs to the last one who opens it, and the one before hears of it', async () => {
    const first = await bed.open(`${GUEST_PATH}/console`);
    await using second = await bed.open(`${GUEST_PATH}/console`);

    const end = await closing(first);
    await second.write(Buffer.from('mine\n'));

    expect(end).toBe('somebody else has opened it');
    expect(await heard(second, 'echo: mine')).toContain('echo: mine');
  });

  it('stays open when the time is over that it had to be opened', async () => {
    const soon = new AbortController();
    await using link = await openConsole(bed.running, soon.signal);

    soon.abort();
    await link.write(Buffer.from('later\n'));

    expect(await heard(link.incoming, 'echo: later')).toContain('echo: later');
  });

  it('is free again after a caller has vanished', async () => {
    const first = await bed.open(`${GUEST_PATH}/console`);
    first.destroy();

    await using second = await bed.open(`${GUEST_PATH}/console`);
    await second.write(Buffer.from('again\n'));

    expect(await heard(second, 'echo: again')).toContain('echo: again');
  });

  it('is refused to an instance that has none', async () => {
    bed.change((instance) => ({ ...instance, spec: { domain: { devices: { autoattachSerialConsole: false } } } }));

    const refusal = bed.open(`${GUEST_PATH}/console`);

    await expect(refusal).rejects.toMatchObject({
      httpStatus: 400,
      answer: expect.stringContaining('autoattachSerialConsole'),
    });
    bed.change((instance) => ({ ...instance, spec: { domain: { devices: {} } } }));
  });

  it('is refused in another protocol before it is opened', async () => {
    await using mine = await bed.open(`${GUEST_PATH}/console`);

    const answer = await bed.call('GET', `${GUEST_PATH}/console`);

    await mine.write(Buffer.from('still\n'));
    expect(answer.status).toBe(400);
    expect(await heard(mine, 'echo: still')).toContain('echo: still');
  });
});

describe('the display', () => {
  it('speaks VNC', async () => {
    await using display = await bed.open(`${GUEST_PATH}/vnc`);

    expect(await heard(display, 'RFB')).toMatch(/^RFB 003/);
  });

  it('is left to who has it when the next one would not disturb', async () => {
    const first = await bed.open(`${GUEST_PATH}/vnc`);
    const polite = bed.open(`${GUEST_PATH}/vnc?preserveSession=true`);

    await expect(polite).rejects.toMatchObject({
      httpStatus: 409,
      answer: expect.stringContaining('Active VNC connection. Request denied.'),
    });
    await using second = await bed.open(`${GUEST_PATH}/vnc`);
    expect(await closing(first)).toBe('somebody else has opened it');
    expect(await heard(second, 'RFB')).toMatch(/^RFB/);
  });
});

describe('a port', () => {
  it('is forwarded, to the address that the node gave the guest', async () => {
    bed.given.address = bed.host.address;
    bed.change((instance) => ({
      ...instance,
      status: { phase: 'Running', interfaces: [{ ipAddress: '192.0.2.99' }] },
    }));

    // The address of the host stands for that of a guest: it is another machine, and its libvirtd listens there.
    await using port = await bed.open(`${GUEST_PATH}/portforward/16509`);
    // The length of a message that cannot be: libvirtd hangs up.
    await port.write(Buffer.from([0xff, 0xff, 0xff, 0xff]));
    expect(await closing(port)).toBe('closed');

    await expect(bed.open(`${GUEST_PATH}/portforward/1`)).rejects.toMatchObject({
      httpStatus: 503,
      answer: expect.stringContaining('port 1 of the guest'),
    });
  });

  it('is refused where the node gave no address, whatever the guest claims', async () => {
    bed.given.address = undefined;
    bed.change((instance) => ({
      ...instance,
      status: { phase: 'Running', interfaces: [{ ipAddress: bed.host.address }] },
    }));

    // Somebody listens there: a handler that believed the guest would connect.
    const refusal = bed.open(`${GUEST_PATH}/portforward/16509`);

    await expect(refusal).rejects.toMatchObject({
      httpStatus: 409,
      answer: expect.stringContaining('this node gave the guest no address'),
    });
  });
});

describe('the agent of the guest', () => {
  it('tells about the guest', async () => {
    const { status, body } = await bed.call('GET', `${GUEST_PATH}/guestosinfo`);

    expect(status).toBe(200);
    expect(body).toMatchObject({
      kind: 'VirtualMachineInstanceGuestAgentInfo',
      guestAgentVersion: expect.stringMatching(/^\d/),
      hostname: expect.any(String),
      os: { kernelRelease: expect.any(String), machine: 'x86_64' },
      fsFreezeStatus: 'thawed',
    });
    expect(body['supportedCommands']).toContainEqual({ name: 'guest-ping', enabled: true });
  });

  it.each([
    ['userlist', 'VirtualMachineInstanceGuestOSUserList'],
    ['filesystemlist', 'VirtualMachineInstanceFileSystemList'],
  ])('answers %s', async (subresource, kind) => {
    const { status, body } = await bed.call('GET', `${GUEST_PATH}/${subresource}`);

    expect([status, body]).toEqual([200, expect.objectContaining({ kind, items: expect.any(Array) })]);
  });

  it('freezes and thaws file systems, by itself when the time is over', async () => {
    const frozen = await bed.call('PUT', `${GUEST_PATH}/freeze`, { rawBody: '{"unfreezeTimeout":"10ms"}' });
    await expect.poll(() => bed.log.some(({ msg }) => String(msg).includes('were thawed'))).toBe(true);
    const thawed = await bed.call('PUT', `${GUEST_PATH}/unfreeze`);

    expect([frozen.status, thawed.status]).toEqual([200, 200]);
  });
});

describe('a guest', () => {
  it('is paused and let go on, and hears what makes no sense', async () => {
    const early = await bed.call('PUT', `${GUEST_PATH}/unpause`);
    const paused = await bed.call('PUT', `${GUEST_PATH}/pause`);
    const state = await stateOf();
    const twice = await bed.call('PUT', `${GUEST_PATH}/pause`);
    const asked = await bed.call('GET', `${GUEST_PATH}/guestosinfo`);
    const resumed = await bed.call('PUT', `${GUEST_PATH}/unpause`);

    expect([early.status, early.body['message']]).toEqual([409, 'VMI is not paused']);
    expect([paused.status, state]).toEqual([200, DomainState.paused]);
    expect([twice.status, twice.body['message']]).toEqual([409, 'VMI is already paused']);
    expect([asked.status, asked.body['message']]).toEqual([409, 'VMI is paused']);
    expect([resumed.status, await stateOf()]).toEqual([200, DomainState.running]);
  });

  it('that is still being started is nobody else’s to let go', async () => {
    bed.change((instance) => ({ ...instance, status: { phase: 'Scheduled' } }));

    const answer = await bed.call('PUT', `${GUEST_PATH}/unpause`);

    expect([answer.status, answer.body['message']]).toEqual([409, 'VMI is not running']);
    bed.change((instance) => ({ ...instance, status: { phase: 'Running' } }));
  });

  it('is reset, and its agent is missing meanwhile', async () => {
    await using console = await bed.open(`${GUEST_PATH}/console`);

    const reset = await bed.call('PUT', `${GUEST_PATH}/reset`);
    const asked = await bed.call('GET', `${GUEST_PATH}/userlist`);

    expect(reset.status).toBe(200);
    expect([asked.status, asked.body['message']]).toEqual([409, 'VMI does not have guest agent connected']);
    expect(await heard(console, 'guest-up')).toContain('guest-up');
  }, 60_000);

  it('takes its console along when it ends', async () => {
    const console = await bed.open(`${GUEST_PATH}/console`);

    await bed.session.domainDestroy({ domain: bed.domain });
    const end = await closing(console);
    const late = await bed.call('PUT', `${GUEST_PATH}/pause`);

    expect(end).toBe('closed');
    expect([late.status, late.body['message']]).toEqual([409, expect.stringContaining('VMI is not running')]);
  });
});

async function stateOf(): Promise<number> {
  return (await bed.session.domainGetState({ domain: bed.domain })).state;
}

/** Resolves with all that came once the text is in it. */
async function heard(stream: AsyncIterable<Uint8Array | string>, text: string): Promise<string> {
  const decoder = new TextDecoder();
  let all = '';
  for await (const bytes of stream) {
    all += typeof bytes === 'string' ? bytes : decoder.decode(bytes, { stream: true });
    if (all.includes(text)) return all;
  }
  throw new Error(`the stream ended before ${text}: ${all}`);
}

/** How a stream ends: `closed`, or the reason that was given. */
async function closing(stream: WebSocketStream): Promise<string> {
  try {
    for await (const bytes of stream) expect(bytes.length).toBeGreaterThan(0);
    return 'closed';
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
