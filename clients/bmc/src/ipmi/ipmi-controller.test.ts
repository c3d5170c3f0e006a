import { readdir, readFile } from 'node:fs/promises';

import { Secret } from '@smalt/secret';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import {
  hasIpmiSimulator,
  IPMI_PASSWORD,
  IPMI_USER,
  startIpmiSimulator,
  type IpmiSimulator,
} from '../fixtures/start-ipmi-simulator.ts';
import { createIpmiController } from './ipmi-controller.ts';
import type { IpmiSettings } from './ipmi-settings.ts';

const never = new AbortController().signal;
const isThere = hasIpmiSimulator();
if (!isThere)
  console.log('no ipmitool or ipmi_sim here (packages ipmitool, openipmi): IPMI is not tested over the wire');

describe.skipIf(!isThere)('ipmitool at a simulated controller', () => {
  let simulator: IpmiSimulator;

  beforeAll(async () => {
    simulator = await startIpmiSimulator();
  });

  afterAll(async () => {
    await simulator[Symbol.asyncDispose]();
  });

  it('switches off and on, and reads it', async () => {
    await simulator.setPower('1');
    const controller = createIpmiController(settings());

    const before = await controller.readPower(never);
    await controller.powerOff(never);
    const between = await controller.readPower(never);
    await controller.powerOff(never);
    await controller.powerOn(never);
    const after = await controller.readPower(never);

    const method = `ipmi 127.0.0.1:${simulator.port}`;
    expect([before, between, after]).toEqual([
      { state: 'on', method },
      { state: 'off', method },
      { state: 'on', method },
    ]);
    await expect(simulator.readPower()).resolves.toBe('1');
  });

  it('passes a refusal on', async () => {
    await simulator.setPower('stuck');

    await expect(createIpmiController(settings()).powerOff(never)).rejects.toMatchObject({ code: 'refused' });
    await expect(createIpmiController(settings()).readPower(never)).rejects.toMatchObject({ code: 'refused' });
  });

  it.each([
    { changes: { password: new Secret('a-wrong-one') }, code: 'unauthorized' },
    { changes: { user: 'nobody' }, code: 'unauthorized' },
    { changes: { cipherSuite: 17 }, code: 'bad-setting' },
    { changes: { program: '/nowhere/ipmitool' }, code: 'tool-missing' },
  ])('tells $code', async ({ changes, code }) => {
    const failure = await createIpmiController(settings(changes))
      .readPower(never)
      .catch((error: unknown) => error);

    expect(failure).toMatchObject({ code });
    expect(String(failure)).not.toContain('a-wrong-one');
  });

  it('is unreachable where nobody listens', async () => {
    const controller = createIpmiController(settings({ port: 1 }));

    await expect(controller.readPower(never)).rejects.toMatchObject({ code: 'unreachable' });
  });

  it('kills the tool at the deadline, and never shows it the password as an argument', async () => {
    simulator.freeze();
    const controller = createIpmiController(settings({ timeoutMs: 1500 }));

    const reading = controller.readPower(never).catch((error: unknown) => error);
    await expect.poll(toolArguments).toHaveLength(1);
    const seen = await toolArguments();
    const failure = await reading;

    simulator.thaw();
    expect(seen.join(' ')).toContain(`-U ${IPMI_USER} -E`);
    expect(seen.join(' ')).not.toContain(IPMI_PASSWORD);
    expect(failure).toMatchObject({ code: 'timeout' });
    await expect.poll(toolArguments).toEqual([]);
  });

  it('kills the tool when the caller gives up', async () => {
    simulator.freeze();
    const giveUp = new AbortController();

    const reading = createIpmiController(settings())
      .readPower(giveUp.signal)
      .catch((error: unknown) => error);
    await expect.poll(toolArguments).toHaveLength(1);
    giveUp.abort();

    await expect(reading).resolves.toMatchObject({ code: 'aborted' });
    simulator.thaw();
    await expect.poll(toolArguments).toEqual([]);
  });

  function settings(changes: Partial<IpmiSettings> = {}): IpmiSettings {
    const where = { host: '127.0.0.1', port: simulator.port, cipherSuite: 3 };
    return { ...where, user: IPMI_USER, password: new Secret(IPMI_PASSWORD), ...changes };
  }

  /** The command lines of the tools that talk to this simulator. */
  async function toolArguments(): Promise<readonly string[]> {
    const processes = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
    const lines = await Promise.all(
      // A process may end while it is looked at.
      processes.map((each) => readFile(`/proc/${each}/cmdline`, 'utf8').catch(() => '')),
    );
    return lines
      .map((line) => line.replaceAll('\0', ' '))
      .filter((line) => line.startsWith('ipmitool ') && line.includes(` -p ${simulator.port} `));
  }
});

it.each([
  { wrong: { host: '-f/etc/shadow' }, named: 'host' },
  { wrong: { host: '' }, named: 'host' },
  { wrong: { port: 0 }, named: 'port' },
  { wrong: { user: '' }, named: 'user' },
  { wrong: { user: '-P' }, named: 'user' },
  { wrong: { password: new Secret('x'.repeat(21)) }, named: 'password' },
  { wrong: { password: new Secret('hid\0den') }, named: 'password' },
  { wrong: { program: '' }, named: 'program' },
  { wrong: { cipherSuite: 0 }, named: 'cipherSuite' },
  { wrong: { timeoutMs: -1 }, named: 'timeoutMs' },
])('refuses a bad $named at once', ({ wrong, named }) => {
  const settings = { host: 'bmc', user: 'admin', password: new Secret('x'), ...wrong };

  expect(() => createIpmiController(settings)).toThrow(new RegExp(`^${named} `));
  expect(() => createIpmiController(settings)).toThrow(expect.objectContaining({ code: 'bad-setting' }));
});
