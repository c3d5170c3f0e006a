import { mkdir, mkdtemp, readdir, readFile, rename, rm, rmdir, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { parseRequestInfo } from '../http/request-info.ts';
import { auditEvent, type AuditedRequest } from './audit-event.ts';
import { AuditLog } from './audit-log.ts';
import { isAudited } from './is-audited.ts';

describe('AuditLog', () => {
  let directory: string;
  let path: string;

  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'audit-'));
    path = join(directory, 'audit.log');
  });

  afterEach(async () => {
    await rm(directory, { recursive: true });
  });

  it('writes one line per event, for its owner alone, and adds to what is there', async () => {
    for (const number of [1, 2]) {
      await using log = await AuditLog.open({ path, onFailure: fail });
      log.add({ number });
      log.add({ text: 'a\nb' });
    }

    expect(await readFile(path, 'utf8')).toBe('{"number":1}\n{"text":"a\\nb"}\n{"number":2}\n{"text":"a\\nb"}\n');
    expect((await stat(path)).mode % 0o1000).toBe(0o600);
  });

  it('puts full files aside and keeps the newest ones', async () => {
    await using log = await AuditLog.open({ path, maxBytes: 10, keptFiles: 3, onFailure: fail });

    for (let number = 1; number <= 5; number++) {
      log.add({ number });
      await log.flush();
    }

    const files = (await readdir(directory)).toSorted();
    const texts = await Promise.all(files.map((name) => readFile(join(directory, name), 'utf8')));
    expect(files).toEqual(['audit.log', 'audit.log.1', 'audit.log.2']);
    expect(texts).toEqual(['{"number":5}\n', '{"number":4}\n', '{"number":3}\n']);
  });

  it('loses no older file when the next one cannot be opened, writes on, and catches up when it can', async () => {
    const failures: unknown[] = [];
    await writeFile(`${path}.1`, 'older');
    await writeFile(`${path}.2`, 'oldest');
    await mkdir(`${path}.new`);
    await using log = await AuditLog.open({ path, maxBytes: 10, onFailure: (error) => failures.push(error) });

    await addEach(log, [1, 2]);

    expect(await textsOf(directory)).toEqual(['{"number":1}\n{"number":2}\n', 'older', 'oldest']);
    expect(failures).toEqual([expect.objectContaining({ code: 'EISDIR' })]);
    await rmdir(`${path}.new`);
    await addEach(log, [3]);
    expect(await textsOf(directory)).toEqual(['{"number":3}\n', '{"number":1}\n{"number":2}\n', 'older']);
    expect([log.dropped, failures.length]).toEqual([0, 1]);
  });

  it('drops and counts, rather than fill the disk, when it can never put a full file aside', async () => {
    const failures: unknown[] = [];
    await writeFile(`${path}.1`, 'older');
    await mkdir(`${path}.new`);
    await using log = await AuditLog.open({ path, maxBytes: 10, onFailure: (error) => failures.push(error) });

    await addEach(log, [1, 2, 3, 4, 5]);

    expect(await textsOf(directory)).toEqual(['{"number":1}\n{"number":2}\n', 'older']);
    expect([log.dropped, failures.length]).toEqual([3, 2]);
  });

  it('goes on with what was interrupted half-way, and pushes nothing out a second time', async () => {
    await using log = await AuditLog.open({ path, maxBytes: 10, onFailure: fail });
    await addEach(log, [1]);
    await writeFile(`${path}.2`, 'older');
    await rename(path, `${path}.1`);

    await addEach(log, [2]);

    expect(await textsOf(directory)).toEqual(['{"number":2}\n', '{"number":1}\n', 'older']);
  });

  it('drops and counts what does not fit into its memory, and tells it once each time that happens', async () => {
    const failures: unknown[] = [];
    const onFailure = (error: unknown): number => failures.push(error);
    await using log = await AuditLog.open({ path, maxBufferedBytes: 30, onFailure });

    for (let number = 1; number <= 5; number++) log.add({ number });
    await log.flush();

    expect(log.dropped).toBe(3);
    expect(await readFile(path, 'utf8')).toBe('{"number":1}\n{"number":2}\n');
    const failure = new Error('audit events are dropped: more than 30 bytes wait for the disk');
    expect(failures).toEqual([failure]);
    for (let number = 1; number <= 5; number++) log.add({ number });
    await log.flush();
    expect(failures).toEqual([failure, failure]);
  });

  it('goes on when the disk is full, tells it once and counts what was lost', async () => {
    const failures: unknown[] = [];
    await using log = await AuditLog.open({ path: '/dev/full', onFailure: (error) => failures.push(error) });

    for (const number of [1, 2]) {
      log.add({ number });
      await log.flush();
    }

    expect(log.dropped).toBe(2);
    expect(failures).toEqual([expect.objectContaining({ code: 'ENOSPC' })]);
  });
});

describe('auditEvent', () => {
  it('has the form of audit.k8s.io/v1', () => {
    const url = '/api/v1/namespaces/n/pods/p/log?follow=true';

    expect(auditEvent(request('GET', url))).toEqual({
      kind: 'Event',
      apiVersion: 'audit.k8s.io/v1',
      level: 'Metadata',
      auditID: 'id',
      stage: 'ResponseComplete',
      requestURI: url,
      verb: 'get',
      user: { username: 'ada', groups: ['devs'] },
      impersonatedUser: { username: 'bob', groups: ['ops'] },
      sourceIPs: ['127.0.0.1'],
      userAgent: 'kubectl',
      objectRef: { resource: 'pods', namespace: 'n', name: 'p', apiVersion: 'v1', subresource: 'log' },
      responseStatus: { metadata: {}, status: 'Failure', message: 'no', reason: 'Forbidden', code: 403 },
      requestReceivedTimestamp: '2026-01-01T00:00:00.001000Z',
      stageTimestamp: '2026-01-01T00:00:00.250000Z',
      annotations: { 'authorization.k8s.io/decision': 'forbid', 'authorization.k8s.io/reason': 'because' },
    });
  });

  it('shows no token that stands in the address', () => {
    const { requestURI, objectRef } = auditEvent(request('GET', '/metrics?token=hush&a=1&access_token=hush'));

    expect(requestURI).toBe('/metrics?token=REDACTED&a=1&access_token=REDACTED');
    expect(objectRef).toBeUndefined();
  });
});

it.each([
  { method: 'GET', url: '/healthz', audited: false },
  { method: 'GET', url: '/readyz/ping', audited: false },
  { method: 'GET', url: '/healthzz', audited: true },
  { method: 'GET', url: '/api/v1/secrets', audited: true },
  { method: 'GET', url: '/apis/coordination.k8s.io/v1/leases', audited: false },
  { method: 'PUT', url: '/apis/coordination.k8s.io/v1/namespaces/n/leases/l', audited: true },
])('writes $method $url down: $audited', ({ method, url, audited }) => {
  expect(isAudited(infoOf(method, url))).toBe(audited);
});

async function addEach(log: AuditLog, numbers: readonly number[]): Promise<void> {
  for (const number of numbers) {
    log.add({ number });
    await log.flush();
  }
}

/** Of the log and of older ones, the newest first. */
async function textsOf(directory: string): Promise<readonly string[]> {
  const files = (await readdir(directory)).filter((name) => name !== 'audit.log.new').toSorted();
  return await Promise.all(files.map((name) => readFile(join(directory, name), 'utf8')));
}

function request(method: string, url: string): AuditedRequest {
  const receivedAt = Date.parse('2026-01-01T00:00:00.001Z');
  const failed = { status: 'Failure', message: 'no', reason: 'Forbidden', code: 403 } as const;
  return {
    auditId: 'id',
    stage: 'ResponseComplete',
    info: infoOf(method, url),
    requestUri: url,
    user: { name: 'ada', groups: ['devs'], extra: {} },
    impersonatedUser: { name: 'bob', groups: ['ops'], extra: {} },
    sourceIps: ['127.0.0.1'],
    userAgent: 'kubectl',
    code: 403,
    failure: { kind: 'Status', apiVersion: 'v1', metadata: {}, ...failed },
    decision: { allowed: false, reason: 'because' },
    receivedAt,
    stageAt: receivedAt + 249,
  };
}

function infoOf(method: string, url: string): NonNullable<ReturnType<typeof parseRequestInfo>> {
  const info = parseRequestInfo(method, url);
  if (info === undefined) throw new TypeError(`${url} cannot be read`);
  return info;
}

function fail(error: unknown): never {
  throw new Error('this must not happen', { cause: error });
}
