import { randomUUID } from 'node:crypto';

import { startTestDaemon, type TestDaemon } from '@smalt/bed-libvirt';
import { domainName, domainUuid } from '@smalt/domain-xml';
import { connect } from '@smalt/libvirt';
import type { VirtualMachineInstance } from '@smalt/vm-api';
import { migrationSettings } from '@smalt/vm-lifecycle';
import { afterAll, beforeAll, expect, it } from 'vitest';

import { readPlan, readPlanAhead } from './read-plan.ts';

const { signal } = new AbortController();
const settings = migrationSettings(undefined);
const instance: VirtualMachineInstance = {
  apiVersion: 'kubevirt.io/v1',
  kind: 'VirtualMachineInstance',
  metadata: { name: 'guest', namespace: 'default', uid: randomUUID() },
  spec: { hypervisor: 'test', domain: { devices: {} } },
};

let daemon: TestDaemon;

beforeAll(async () => {
  daemon = await startTestDaemon();
}, 30_000);

afterAll(() => daemon[Symbol.asyncDispose]());

it('plans ahead what it would plan when it begins', async () => {
  await using session = await connect(daemon.uri);
  const names = `<name>${domainName(instance)}</name><uuid>${domainUuid(instance) ?? ''}</uuid>`;
  const xml = `<domain type='test'>${names}<memory>8192</memory><os><type>hvm</type></os></domain>`;
  const domain = await session.domainCreateXml({ xml });
  const reading = { session, instance, settings, canEncrypt: false };

  const ahead = await readPlanAhead({ ...reading, ignore: unexpected }, signal);

  expect(ahead).toEqual(await readPlan(reading, domain, signal));
  expect(ahead?.flags).toBeGreaterThan(0);
});

it('plans nothing ahead for a guest that is not there', async () => {
  await using session = await connect(daemon.uri);
  const other = { ...instance, metadata: { ...instance.metadata, name: 'other' } };

  const ahead = await readPlanAhead(
    { session, instance: other, settings, canEncrypt: false, ignore: unexpected },
    signal,
  );

  expect(ahead).toBeUndefined();
});

function unexpected(error: unknown): void {
  throw error;
}
