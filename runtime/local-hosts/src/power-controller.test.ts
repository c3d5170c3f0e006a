import { mkdtempDisposable, writeFile } from 'node:fs/promises';
import { request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { RedfishController, Secret } from '@smalt/bmc';
import { makeSelfSigned } from '@smalt/x509';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { startPowerController, type PowerController } from './power-controller.ts';

const { signal } = new AbortController();
const own = makeSelfSigned({ commonName: 'bmc', names: ['127.0.0.1'], now: new Date(), days: 1 });

// What the HA service fences by talks to it, over the real protocol.
describe('a power controller', () => {
  const owned = new AsyncDisposableStack();
  let host: Switch;
  let bmc: PowerController;
  let client: RedfishController;
  let authorityFile: string;

  beforeAll(async () => {
    host = new Switch();
    const directory = owned.use(await mkdtempDisposable(join(tmpdir(), 'smalt-bmc-')));
    authorityFile = join(directory.path, 'ca.pem');
    await writeFile(authorityFile, own.certificate);
    const account = { user: 'smalt', password: 'secret' };
    const place = { host: '127.0.0.1', ...account, ...own, name: 'hv1' };
    const onFailure = (error: unknown): void => void host.failures.push(error);
    bmc = owned.use(await startPowerController({ ...place, powerSwitch: host, onFailure }));
    client = clientOf('secret');
  });

  afterAll(() => owned.disposeAsync());

  it('tells the power, and switches it: the order first, the deed later', async () => {
    const before = await client.readPower(signal);

    await client.powerOff(signal);
    const during = await client.readPower(signal);
    host.finish();
    await expect.poll(async () => (await client.readPower(signal)).state).toBe('off');
    await client.powerOff(signal);
    await client.powerOn(signal);
    host.finish();
    await expect.poll(async () => (await client.readPower(signal)).state).toBe('on');

    expect([before.state, during.state]).toEqual(['on', 'powering-off']);
    expect(before.method).toBe(`redfish ${bmc.url}/redfish/v1/Systems/hv1`);
    expect(host.deeds).toEqual(['off', 'on']);
  });

  it('tells of a switch that failed, and of the power as it is', async () => {
    host.isBroken = true;

    await client.powerOff(signal);
    await expect.poll(() => host.failures).toHaveLength(1);
    host.isBroken = false;

    expect((await client.readPower(signal)).state).toBe('on');
  });

  it('lets nobody in who does not show the account, and does not say it', async () => {
    const failure: unknown = await clientOf('guessed')
      .readPower(signal)
      .catch((error: unknown) => error);

    expect(failure).toMatchObject({ code: 'unauthorized' });
    expect(String(failure)).not.toMatch(/guessed|secret/);
  });

  it.each(['{"ResetType":"Nmi"}', '{', '[]', 'x'.repeat(20_000)])('refuses the order %.20s', async (body) => {
    const before = host.deeds.length;

    const status = await post('/redfish/v1/Systems/hv1/Actions/ComputerSystem.Reset', body);

    expect([400, 'broken']).toContain(status);
    expect(host.deeds).toHaveLength(before);
  });

  async function post(path: string, body: string): Promise<number | string> {
    const authorization = `Basic ${Buffer.from('smalt:secret').toString('base64')}`;
    const options = { method: 'POST', ca: own.certificate, headers: { authorization } };
    const answered = Promise.withResolvers<number | string>();
    const call = request(`${bmc.url}${path}`, options, (response) => {
      response.resume();
      answered.resolve(response.statusCode ?? 0);
    });
    call.on('error', () => answered.resolve('broken'));
    call.end(body);
    return await answered.promise;
  }

  function clientOf(password: string): RedfishController {
    const settings = { url: bmc.url, user: 'smalt', password: new Secret(password), authorityFile };
    return new RedfishController({ ...settings, authentication: 'basic' });
  }
});

/** A switch that takes its time. */
class Switch {
  readonly deeds: string[] = [];
  readonly failures: unknown[] = [];
  isBroken = false;
  #isOn = true;
  #finish: () => void = () => undefined;

  async isOn(): Promise<boolean> {
    return await Promise.resolve(this.#isOn);
  }

  async powerOn(): Promise<void> {
    await this.#switch('on');
  }

  async powerOff(): Promise<void> {
    await this.#switch('off');
  }

  finish(): void {
    this.#finish();
  }

  async #switch(deed: 'on' | 'off'): Promise<void> {
    if (this.isBroken) throw new Error('the switch is stuck');
    await new Promise<void>((resolve) => {
      this.#finish = resolve;
    });
    this.#isOn = deed === 'on';
    this.deeds.push(deed);
  }
}
