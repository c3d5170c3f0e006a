import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { request } from 'node:https';
import { json } from 'node:stream/consumers';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { system, type PowerSwitch } from './bed-system.ts';
import { makeAuthority, type TestAuthority } from './make-authority.ts';
import { PASSWORD, USER } from './redfish-service.ts';
import { startRedfish, type BedRedfish } from './start-redfish.ts';

const SYSTEM = '/redfish/v1/Systems/1';
const RESET = `${SYSTEM}/Actions/ComputerSystem.Reset`;
let authority: TestAuthority;

beforeAll(async () => {
  authority = await makeAuthority();
});

afterAll(() => authority[Symbol.asyncDispose]());

describe('the Redfish endpoint', () => {
  it('powers what it was given, and tells the truth of it', async () => {
    const machine = fakeMachine();
    await using bmc = await startRedfish({ authority, systems: [{ ...system(SYSTEM), powerSwitch: machine }] });

    expect(await powerState(bmc)).toBe('On');
    expect(await ask(bmc, 'POST', RESET, { body: { ResetType: 'ForceOff' } })).toMatchObject({ status: 204 });
    expect(await powerState(bmc)).toBe('PoweringOff');
    machine.finish();
    await expect.poll(() => powerState(bmc)).toBe('Off');

    expect(machine.orders).toEqual(['off']);
    expect(await ask(bmc, 'POST', RESET, { body: { ResetType: 'ForceOff' } })).toMatchObject({ status: 409 });
  });

  it('refuses resets that it does not know', async () => {
    await using bmc = await startRedfish({ authority });

    expect(await ask(bmc, 'POST', RESET, { body: { ResetType: 'Nap' } })).toMatchObject({ status: 400 });
  });

  it('lets nobody in without a name', async () => {
    await using bmc = await startRedfish({ authority });

    expect(await ask(bmc, 'GET', SYSTEM, { user: 'nobody' })).toMatchObject({ status: 401 });
  });

  it('has no more sessions than its limit', async () => {
    await using bmc = await startRedfish({ authority });
    bmc.sessionLimit = 1;
    const account = { UserName: USER, Password: PASSWORD };

    const logins = [await logIn(bmc, account), await logIn(bmc, account)];
    await ask(bmc, 'DELETE', '/redfish/v1/SessionService/Sessions/1');

    expect([...logins, await logIn(bmc, account)]).toEqual([201, 403, 201]);
  });

  it('lies, ignores and refuses when it is told to', async () => {
    const machine = fakeMachine();
    await using bmc = await startRedfish({ authority, systems: [{ ...system(SYSTEM), powerSwitch: machine }] });

    bmc.faults = { says: 'Off' };
    expect(await powerState(bmc)).toBe('Off');
    bmc.faults = { isIgnoringResets: true };
    expect(await ask(bmc, 'POST', RESET, { body: { ResetType: 'ForceOff' } })).toMatchObject({ status: 204 });
    expect(await powerState(bmc)).toBe('On');
    bmc.faults = { refusesWith: 503 };
    expect(await ask(bmc, 'GET', SYSTEM)).toMatchObject({ status: 503 });

    expect(machine.orders).toEqual([]);
  });

  it('goes down with its host, and comes back at the same address', async () => {
    await using bmc = await startRedfish({ authority });

    await bmc.goDown();
    await expect(powerState(bmc)).rejects.toMatchObject({ code: 'ECONNREFUSED' });
    await bmc.comeBack();

    expect(await powerState(bmc)).toBe('On');
  });

  it('shows another certificate when it is told to', async () => {
    await using bmc = await startRedfish({ authority });
    await using other = await makeAuthority();

    bmc.useCertificate(other);

    await expect(powerState(bmc)).rejects.toMatchObject({ code: 'UNABLE_TO_VERIFY_LEAF_SIGNATURE' });
  });

  it('never answers when it hangs', async () => {
    await using bmc = await startRedfish({ authority });
    bmc.faults = { hangs: 'all' };

    await expect(ask(bmc, 'GET', SYSTEM, { timeoutMs: 200 })).rejects.toMatchObject({ name: 'AbortError' });
    expect(bmc.requests).toHaveLength(1);
  });
});

/** A machine that goes off when `finish` is called. */
function fakeMachine(): PowerSwitch & { readonly orders: readonly string[]; finish(): void } {
  const orders: string[] = [];
  const done = Promise.withResolvers<void>();
  let isOn = true;
  return {
    orders,
    isOn: () => isOn,
    powerOn: () => Promise.resolve(),
    async powerOff() {
      orders.push('off');
      await done.promise;
      isOn = false;
    },
    finish: () => done.resolve(),
  };
}

async function powerState(bmc: BedRedfish): Promise<unknown> {
  return Object((await ask(bmc, 'GET', SYSTEM)).body).PowerState;
}

async function logIn(bmc: BedRedfish, account: unknown): Promise<number> {
  return (await ask(bmc, 'POST', '/redfish/v1/SessionService/Sessions', { body: account })).status;
}

interface AskOptions {
  readonly body?: unknown;
  readonly user?: string;
  readonly timeoutMs?: number;
}

async function ask(
  bmc: BedRedfish,
  method: string,
  path: string,
  { body, user = USER, timeoutMs = 5_000 }: AskOptions = {},
): Promise<{ readonly status: number; readonly body: unknown }> {
  const sent = request(`${bmc.url}${path}`, {
    method,
    ca: await readFile(authority.authorityFile),
    auth: `${user}:${PASSWORD}`,
    agent: false,
    signal: AbortSignal.timeout(timeoutMs),
  });
  sent.end(body === undefined ? undefined : JSON.stringify(body));
  const [response] = await once(sent, 'response');
  return { status: response.statusCode, body: await json(response).catch(() => undefined) };
}
