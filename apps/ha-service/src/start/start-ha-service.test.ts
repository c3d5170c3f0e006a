import { createHash } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { leaseKind } from '@smalt/controller-runtime';
import { hypervisorKind } from '@smalt/fleet-api';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { startServiceBed, type BedReplica, type ServiceBed } from '../fixtures/service-bed.ts';

const TOKEN = 'a-token-for-tests';
const SOON = { timeout: 15_000, interval: 100 };
const QUICK = { leaseMs: 1_500, renewDeadlineMs: 1_000, retryMs: 200 };

let bed: ServiceBed;
let tokensFile: string;

beforeAll(async () => {
  bed = await startServiceBed({ hosts: ['h1', 'h2'] });
  tokensFile = join(bed.directory, 'tokens.yaml');
  const sha256 = createHash('sha256').update(TOKEN).digest('hex');
  await writeFile(tokensFile, JSON.stringify([{ name: 'tester', role: 'operator', sha256 }]));
});

afterAll(() => bed[Symbol.asyncDispose]());

describe('a replica', () => {
  it('leads by its lease, serves the API, tells its metrics, and gives the lead up when it stops', async () => {
    const replica = await start('first');

    await expect.poll(() => isLeading(replica)).toBe(true);
    const lease = await bed.client.resource(leaseKind).get('lease-of-first');
    const text = await replica.scrape();
    await expect.poll(async () => JSON.stringify(await replica.get('/api/v1/journal', TOKEN))).toContain('first leads');
    await replica.service[Symbol.asyncDispose]();

    expect(lease.spec.holderIdentity).toBe('first');
    expect(text).toMatch(/^smalt_ha_leader 1$/m);
    expect(text).toMatch(/^smalt_ha_store_up 1$/m);
    expect(text).toMatch(/^smalt_ha_paused 0$/m);
    expect(text).toMatch(/^smalt_tls_certificate_expiry_seconds\{certificate="ha-service"\} \d{10}$/m);
    const released = await bed.client.resource(leaseKind).get('lease-of-first');
    expect(released.spec.holderIdentity).toBe('');
  });

  it('follows while another one leads, and leads as soon as that is gone', async () => {
    const leaseName = 'lease-of-two';
    const one = await start('one', { kubernetes: { leaseName } });
    await expect.poll(() => isLeading(one)).toBe(true);
    const two = await start('two', { kubernetes: { leaseName } });

    expect(await isLeading(two)).toBe(false);
    await expect.poll(() => two.get('/api/v1/status', TOKEN)).toMatchObject({ identity: 'one', isLeading: true });
    await one.service[Symbol.asyncDispose]();

    await expect.poll(() => isLeading(two)).toBe(true);
    await two.service[Symbol.asyncDispose]();
  });

  it('stops leading when its lease is taken away', async () => {
    const replica = await start('robbed');
    await expect.poll(() => isLeading(replica)).toBe(true);
    const leases = bed.client.resource(leaseKind);

    await leases.patch('lease-of-robbed', 'merge', { spec: { holderIdentity: 'thief', leaseDurationSeconds: 60 } });

    await expect.poll(() => isLeading(replica)).toBe(false);
    expect(await replica.scrape()).toMatch(/^smalt_ha_leader 0$/m);
    await replica.service[Symbol.asyncDispose]();
  });

  it('follows its configuration, and says what is wrong with it', async () => {
    const replica = await start('configured');

    await replica.configure({ detection: { brakes: { isDryRun: true } } });
    await expect.poll(async () => (await replica.get('/api/v1/status', TOKEN))['isDryRun']).toBe(true);
    expect(await replica.scrape()).toMatch(/^smalt_ha_dry_run 1$/m);
    await replica.configure({ detection: { brakes: { isDryRun: 'maybe' } } });

    await expect
      .poll(async () => (await replica.get('/api/v1/status', TOKEN))['settingsTrouble'])
      .toContain('detection.brakes.isDryRun: "maybe" must be true or false');
    expect(await replica.scrape()).toMatch(/^smalt_ha_settings_valid 0$/m);
    expect(await replica.get('/api/v1/status', TOKEN)).toMatchObject({ isDryRun: true });
    await replica.service[Symbol.asyncDispose]();
  });

  it('asks no power switch that two Hypervisors name, and says which two, until one names another', async () => {
    const level = { name: 'pdu', driver: 'command', command: ['/bin/sh', '-c', 'echo on', 'sh', '{address}'] };
    await Promise.all([nameSwitch('h1', '192.0.2.1'), nameSwitch('h2', '192.0.2.1')]);
    const replica = await start('fencer', { fencing: { levels: [level], check: { intervalMs: 1_000 } } });

    await expect.poll(() => switchesUp(replica), SOON).toEqual(['h1 0', 'h2 0']);
    const told = bed.log.find((line) => line.includes('h1 and h2 name the same power switch, by level pdu of h1'));
    await nameSwitch('h2', '192.0.2.2');

    await expect.poll(() => switchesUp(replica), SOON).toEqual(['h1 1', 'h2 1']);
    expect(told).toContain('a power switch cannot be asked');
    await replica.service[Symbol.asyncDispose]();
  });

  it('lets tokens of the cluster in, by what they may do there', async () => {
    const replica = await start('asking');

    const answer = await replica.get('/api/v1/status', 'not-a-token');

    expect(answer).toMatchObject({ status: 401 });
    await replica.service[Symbol.asyncDispose]();
  });
});

async function start(name: string, settings: Readonly<Record<string, unknown>> = {}): Promise<BedReplica> {
  const kubernetes = { leaseName: `lease-of-${name}` };
  return await bed.start(name, {
    lease: QUICK,
    settings: { kubernetes, api: { tokensFile, asksKubernetes: true }, ...settings },
  });
}

async function nameSwitch(host: string, address: string): Promise<void> {
  const metadata = { annotations: { 'smalt.dev/bmc-address': address } };
  await bed.client.resource(hypervisorKind).apply(host, { metadata, spec: {} }, { fieldManager: 'test' });
}

/** The hosts with a power switch, and whether it answers. */
async function switchesUp(replica: BedReplica): Promise<readonly string[]> {
  const text = await replica.scrape();
  const found = text.matchAll(/^smalt_ha_power_controller_up\{host="(?<host>\w+)",method="pdu"\} (?<isUp>\d)$/gmv);
  return [...found].map(({ groups }) => `${groups?.['host']} ${groups?.['isUp']}`).toSorted();
}

/** By its metrics: what is asked of one that follows is answered by the leader. */
async function isLeading(replica: BedReplica): Promise<boolean> {
  return /^smalt_ha_leader 1$/m.test(await replica.scrape());
}
