import { at, makeAuthority, PASSWORD, startRedfish, type TestAuthority, USER } from '@smalt/bed-redfish';
import { Secret } from '@smalt/secret';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { controllerOf, settingsOf } from '../fixtures/controller-of.ts';
import { RedfishController } from './redfish-controller.ts';

const SESSIONS = '/redfish/v1/SessionService/Sessions';
const never = new AbortController().signal;
let authority: TestAuthority;

beforeAll(async () => {
  authority = await makeAuthority();
});

afterAll(async () => {
  await authority[Symbol.asyncDispose]();
});

describe('failures', () => {
  it('never shows the password, not even if the controller echoes it', async () => {
    await using bmc = await startRedfish({ authority });
    const settings = { ...settingsOf(bmc, authority), password: new Secret('a-wrong-one') };

    const failure = await new RedfishController(settings).readPower(never).catch((error: unknown) => error);

    expect(failure).toMatchObject({ code: 'unauthorized', message: expect.stringContaining('<secret> is wrong') });
    expect(`${String(failure)} ${JSON.stringify(settings)}`).not.toContain('a-wrong-one');
  });

  it('tells a session limit from a wrong password', async () => {
    await using bmc = await startRedfish({ authority });
    bmc.sessionLimit = 0;

    await expect(controllerOf(bmc, authority).readPower(never)).rejects.toMatchObject({
      code: 'refused',
      message: expect.stringContaining('SessionLimitExceeded'),
    });
  });

  it.each([
    { what: 'text', status: 200, body: '<html>Welcome</html>', code: 'bad-answer' },
    { what: 'half an object', status: 200, body: '{"PowerState":"Off"', code: 'bad-answer' },
    { what: 'a list', status: 200, body: '["Off"]', code: 'bad-answer' },
    { what: 'nothing', status: 200, body: '', code: 'bad-answer' },
    { what: 'a deep hole', status: 200, body: '{"a":'.repeat(500), code: 'bad-answer' },
    { what: 'too much', status: 200, body: ' '.repeat(3_000_000), code: 'bad-answer' },
    { what: 'an error page', status: 502, body: '<html>Bad gateway</html>', code: 'refused' },
  ])('takes $what for $code, never for a state', async ({ status, body, code }) => {
    await using bmc = await startRedfish({ authority });
    bmc.answering = at('GET', '/redfish/v1/Systems/1', (response) => void response.writeHead(status).end(body));

    await expect(controllerOf(bmc, authority).readPower(never)).rejects.toMatchObject({ code });
  });

  it('ends at the deadline when the controller hangs', async () => {
    await using bmc = await startRedfish({ authority });
    bmc.answering = at('GET', '/redfish/v1/Systems/1', () => undefined);
    await using controller = controllerOf(bmc, authority, { timeoutMs: 300 });

    await expect(controller.readPower(never)).rejects.toMatchObject({ code: 'timeout' });

    await controller[Symbol.asyncDispose]();
    expect(bmc.sessions.size).toBe(0);
  });

  it('closes a session that was only there after the caller had given up', async () => {
    await using bmc = await startRedfish({ authority });
    const giveUp = new AbortController();
    bmc.answering = at('POST', SESSIONS, () => {
      giveUp.abort();
      return 'as-usual';
    });
    await using controller = controllerOf(bmc, authority);

    await expect(controller.readPower(giveUp.signal)).rejects.toMatchObject({ code: 'aborted' });

    await controller[Symbol.asyncDispose]();
    expect(bmc.requests.at(-1)).toMatchObject({ method: 'DELETE', path: `${SESSIONS}/1` });
    expect(bmc.sessions.size).toBe(0);
  });

  it('does not start for a caller that has given up', async () => {
    await using bmc = await startRedfish({ authority });

    await expect(controllerOf(bmc, authority).powerOff(AbortSignal.abort())).rejects.toMatchObject({ code: 'aborted' });

    expect(bmc.requests).toEqual([]);
  });

  it('is unreachable where nobody listens or the connection breaks', async () => {
    await using bmc = await startRedfish({ authority });
    bmc.answering = (_request, response) => void response.socket?.destroy();
    const settings = { ...settingsOf(bmc, authority), url: 'https://127.0.0.1:1' };

    await expect(controllerOf(bmc, authority).readPower(never)).rejects.toMatchObject({ code: 'unreachable' });
    await expect(new RedfishController(settings).readPower(never)).rejects.toMatchObject({ code: 'unreachable' });
  });

  it('does not talk to a controller that no authority of its vouches for', async () => {
    await using bmc = await startRedfish({ authority });
    await using other = await makeAuthority();
    const { authorityFile: _, ...withoutFile } = settingsOf(bmc, authority);

    const stranger = new RedfishController({ ...settingsOf(bmc, authority), authorityFile: other.authorityFile });

    await expect(stranger.readPower(never)).rejects.toMatchObject({ code: 'certificate' });
    await expect(new RedfishController(withoutFile).readPower(never)).rejects.toMatchObject({ code: 'certificate' });
    expect(bmc.requests).toEqual([]);
  });

  it('wants the name of the certificate, which need not be that of the URL', async () => {
    await using named = await makeAuthority('DNS:bmc-7.example');
    await using bmc = await startRedfish({ authority: named });
    const { authorityFile } = named;

    const reading = await controllerOf(bmc, authority, { authorityFile, serverName: 'bmc-7.example' }).readPower(never);

    expect(reading.state).toBe('on');
    await expect(controllerOf(bmc, authority, { authorityFile }).readPower(never)).rejects.toMatchObject({
      code: 'certificate',
    });
  });

  it.each(['/nowhere/ca.pem', '/dev/null'])(
    'names the authority file %s, which is of no use',
    async (authorityFile) => {
      await using bmc = await startRedfish({ authority });

      await expect(controllerOf(bmc, authority, { authorityFile }).readPower(never)).rejects.toMatchObject({
        code: 'bad-setting',
        message: expect.stringMatching(`^authorityFile .*${authorityFile}`),
      });
    },
  );

  it.each([
    { url: 'http://bmc', named: 'url' },
    { url: 'https://user:word@bmc', named: 'url' },
    { url: 'nonsense', named: 'url' },
    { user: 'a:b', named: 'user' },
    { password: new Secret(''), named: 'password' },
    { systemPath: 'Systems/1', named: 'systemPath' },
    { systemUuid: '1234', named: 'systemUuid' },
    { timeoutMs: 0, named: 'timeoutMs' },
  ])('refuses a bad $named at once', ({ named, ...wrong }) => {
    const settings = { url: 'https://bmc', user: USER, password: new Secret(PASSWORD), ...wrong };

    expect(() => new RedfishController(settings)).toThrow(expect.objectContaining({ code: 'bad-setting' }));
    expect(() => new RedfishController(settings)).toThrow(new RegExp(`^${named} `));
  });
});
