import { appendFile, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import type { JsonObject } from '@smalt/json';
import { describe, expect, it } from 'vitest';

import { AuditTrail } from './audit-trail.ts';
import { isDeed } from './is-deed.ts';
import { readNewestEvents } from './read-newest-events.ts';

describe('isDeed', () => {
  it.each([
    { event: request('create', 'virtualmachines'), expected: true },
    { event: request('delete', 'secrets'), expected: true },
    { event: request('update', 'virtualmachines', 'stop'), expected: true },
    { event: request('get', 'virtualmachineinstances', 'console'), expected: true },
    { event: request('get', 'virtualmachineinstances', 'vnc'), expected: true },
    { event: request('get', 'virtualmachineinstances', 'portforward'), expected: true },
    { event: request('get', 'pods', 'portforward'), expected: true },
    { event: request('get', 'pods', 'attach'), expected: true },
    { event: request('get', 'pods', 'exec'), expected: true },
    { event: request('get', 'services', 'proxy'), expected: true },
    { event: request('get', 'nodes', 'proxy'), expected: true },
    { event: request('get', 'pods', 'log'), expected: false },
    { event: answered(request('get', 'pods', 'exec'), 101), expected: true },
    { event: answered(request('get', 'pods', 'exec'), 403), expected: false },
    { event: answered(request('create', 'pods'), 201), expected: true },
    { event: answered(request('create', 'pods'), 401), expected: false },
    { event: answered(request('create', 'pods'), 409), expected: false },
    { event: answered(request('create', 'pods'), 504), expected: true },
    { event: request('list', 'secrets'), expected: false },
    { event: request('patch', 'hypervisors', 'status'), expected: false },
    { event: request('update', 'leases'), expected: false },
    { event: request('create', 'events'), expected: false },
    { event: request('create', 'selfsubjectaccessreviews'), expected: false },
    { event: { verb: 'post' }, expected: false },
    { event: { verb: 'post', requestURI: '/smalt/backup?pretty' }, expected: true },
    { event: answered({ verb: 'post', requestURI: '/smalt/backup' }, 403), expected: false },
    { event: {}, expected: false },
  ])('is $expected for $event', ({ event, expected }) => {
    expect(isDeed(event)).toBe(expected);
  });
});

describe('AuditTrail', () => {
  it('keeps deeds apart from all else, drops the oldest of each sort and tells of both', () => {
    const trail = new AuditTrail({ firstNumber: 10, mostDeeds: 2, mostOthers: 1 });
    const told: (readonly [number, number | undefined])[] = [];
    const stop = trail.subscribe(({ added, dropped }) => told.push([added.number, dropped?.number]));

    for (const verb of ['create', 'get', 'delete', 'list', 'patch']) trail.add(request(verb, 'pods'));
    stop();
    trail.add(request('get', 'pods'));

    expect(told).toEqual([
      [11, undefined],
      [12, undefined],
      [13, undefined],
      [14, 12],
      [15, 11],
    ]);
    expect(trail.records().map(({ number, event }) => [number, event['verb']])).toEqual([
      [13, 'delete'],
      [15, 'patch'],
      [16, 'get'],
    ]);
    expect([trail.number, trail.droppedUpTo]).toEqual([16, 14]);
  });

  it('keeps what was done, however much is refused afterwards', () => {
    const trail = new AuditTrail({ firstNumber: 0 });
    const deed = answered(request('delete', 'virtualmachines'), 200);

    trail.add(deed);
    for (let count = 0; count < 5_000; count++) {
      trail.add(answered(request('create', 'virtualmachines'), count % 2 === 0 ? 401 : 403));
    }

    expect(trail.records().filter(({ isDeed: isOne }) => isOne)).toEqual([{ number: 1, isDeed: true, event: deed }]);
    expect(trail.records()).toHaveLength(1_001);
  });
});

describe('readNewestEvents', () => {
  it('reads whole lines from the end of a file, and leaves out what is none', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'audit-tail-'));
    const path = join(directory, 'audit.log');
    try {
      expect(await readNewestEvents(path)).toEqual([]);
      await writeFile(path, `{"number":1}\n{"number":2}\nnonsense\n{"number":3}\n`);
      await appendFile(path, '{"num');

      expect(await readNewestEvents(path)).toEqual([{ number: 1 }, { number: 2 }, { number: 3 }]);
      expect(await readNewestEvents(path, 30)).toEqual([{ number: 3 }]);
    } finally {
      await rm(directory, { recursive: true });
    }
  });
});

function request(verb: string, resource: string, subresource?: string): JsonObject {
  return { verb, objectRef: { resource, ...(subresource !== undefined && { subresource }) } };
}

function answered(event: JsonObject, code: number): JsonObject {
  return { ...event, responseStatus: { metadata: {}, code } };
}
