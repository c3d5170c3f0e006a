import { readFileSync } from 'node:fs';

import { assert, property, string, stringMatching } from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';

import { decideReport, defaultReportSettings, parseReportSettings, reportedInstances } from './index.ts';
import type { TelemetryEvent } from './index.ts';
import { matchesPattern } from './matches-pattern.ts';

const DOMAIN = { uuid: '6f1c2a4e-7f6b-4a0a-9d4e-3d2c1b0a9f8e', name: 'web-1', id: 7 };
const TIME = '2026-01-02T03:04:05.678Z';

describe('parseReportSettings', () => {
  it('reads the example of the README', () => {
    const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8');
    const example: unknown = parse(/```yaml\n(.*?)```/s.exec(readme)?.[1] ?? '');

    expect(parseReportSettings(example)).toMatchObject({
      events: {
        lifecycle: { only: expect.arrayContaining(['suspended/ioerror']) },
        'agent-lifecycle': { isReported: false },
      },
      domains: { exclude: ['test-*'] },
      intervals: { uptimeSeconds: 30, instancesSeconds: 60, guestPingSeconds: 10 },
      guestPing: { misses: 3, timeoutSeconds: 2 },
    });
  });

  it.each([undefined, null, {}, { events: {} }, { domains: {}, intervals: {}, guestPing: {} }])(
    'takes the defaults for %j',
    (value) => {
      expect(parseReportSettings(value)).toEqual(defaultReportSettings);
    },
  );

  it.each([
    { value: [], field: '' },
    { value: { event: {} }, field: 'event' },
    { value: { events: { weather: true } }, field: 'events.weather' },
    { value: { events: { reboot: 'yes' } }, field: 'events.reboot' },
    { value: { events: { reboot: { only: [] } } }, field: 'events.reboot' },
    { value: { events: { lifecycle: { just: [] } } }, field: 'events.lifecycle.just' },
    { value: { events: { lifecycle: { only: ['begun'] } } }, field: 'events.lifecycle.only[0]' },
    { value: { events: { lifecycle: { only: ['started/late'] } } }, field: 'events.lifecycle.only[0]' },
    { value: { events: { lifecycle: { except: ['started', 5] } } }, field: 'events.lifecycle.except[1]' },
    { value: { domains: { include: 'web' } }, field: 'domains.include' },
    { value: { domains: { exclude: [''] } }, field: 'domains.exclude[0]' },
    { value: { intervals: { uptimeSeconds: 0 } }, field: 'intervals.uptimeSeconds' },
    { value: { intervals: { instancesSeconds: '1m' } }, field: 'intervals.instancesSeconds' },
    { value: { intervals: { guestPingSeconds: 0 } }, field: 'intervals.guestPingSeconds' },
    { value: { events: { 'guest-ping': { misses: 3 } } }, field: 'events.guest-ping' },
    { value: { guestPing: { miss: 3 } }, field: 'guestPing.miss' },
    { value: { guestPing: { misses: 1 } }, field: 'guestPing.misses' },
    { value: { guestPing: { misses: 101 } }, field: 'guestPing.misses' },
    { value: { guestPing: { timeoutSeconds: 0.5 } }, field: 'guestPing.timeoutSeconds' },
    { value: { guestPing: { timeoutSeconds: 31 } }, field: 'guestPing.timeoutSeconds' },
  ])('names $field when it is wrong', ({ value, field }) => {
    expect(() => parseReportSettings(value)).toThrow(expect.objectContaining({ code: 'invalid-settings', field }));
  });

  it('takes what it is told about guest pings, and leaves the rest', () => {
    const settings = parseReportSettings({
      events: { 'guest-ping': false },
      intervals: { guestPingSeconds: 5 },
      guestPing: { misses: 4 },
    });

    expect(settings.events['guest-ping'].isReported).toBe(false);
    expect(settings.intervals).toEqual({ uptimeSeconds: 30, instancesSeconds: 60, guestPingSeconds: 5 });
    expect(settings.guestPing).toEqual({ misses: 4, timeoutSeconds: 2 });
  });

  it('takes words of a libvirt that is newer', () => {
    const settings = parseReportSettings({ events: { lifecycle: { only: ['unknown-12', 'started/unknown-9'] } } });

    expect(settings.events.lifecycle.only).toEqual(['unknown-12', 'started/unknown-9']);
  });
});

describe('decideReport', () => {
  const stopped: TelemetryEvent = { kind: 'lifecycle', domain: DOMAIN, event: 'stopped', detail: 'failed' };
  const reboot: TelemetryEvent = { kind: 'reboot', domain: DOMAIN };
  const silent: TelemetryEvent = { kind: 'guest-ping', domain: DOMAIN, state: 'silent', misses: 3, since: TIME };

  it.each([
    { event: stopped, settings: {}, outcome: 'report' },
    { event: reboot, settings: { events: { reboot: false } }, outcome: 'kind' },
    { event: reboot, settings: { events: { lifecycle: false } }, outcome: 'report' },
    { event: silent, settings: {}, outcome: 'report' },
    { event: silent, settings: { events: { 'guest-ping': false } }, outcome: 'kind' },
    { event: silent, settings: { domains: { exclude: ['web-*'] } }, outcome: 'domain' },
    { event: stopped, settings: { events: { lifecycle: { only: ['stopped'] } } }, outcome: 'report' },
    { event: stopped, settings: { events: { lifecycle: { only: ['stopped/failed'] } } }, outcome: 'report' },
    { event: stopped, settings: { events: { lifecycle: { only: ['stopped/saved'] } } }, outcome: 'detail' },
    { event: stopped, settings: { events: { lifecycle: { except: ['stopped/failed'] } } }, outcome: 'detail' },
    {
      event: stopped,
      settings: { events: { lifecycle: { only: ['stopped'], except: ['stopped/failed'] } } },
      outcome: 'detail',
    },
    { event: stopped, settings: { domains: { include: ['db-*'] } }, outcome: 'domain' },
    { event: stopped, settings: { domains: { include: ['web-?'] } }, outcome: 'report' },
    { event: stopped, settings: { domains: { exclude: ['*-1'] } }, outcome: 'domain' },
    { event: stopped, settings: { domains: { include: [] } }, outcome: 'domain' },
  ])('$outcome for $event.kind with $settings', ({ event, settings, outcome }) => {
    const decision = decideReport(event, parseReportSettings(settings), TIME);

    const expected =
      outcome === 'report' ? { kind: 'report', content: { ...event, time: TIME } } : { kind: 'skip', why: outcome };
    expect(decision).toEqual(expected);
  });

  it('clips what is longer than the limits allow', () => {
    const domain = { ...DOMAIN, name: 'n'.repeat(5000) };
    const event: TelemetryEvent = { kind: 'io-error', domain, path: 'p'.repeat(5000), device: 'vda', action: 'pause' };

    const decision = decideReport(event, defaultReportSettings, TIME);

    expect(decision).toMatchObject({ content: { path: 'p'.repeat(4096), domain: { name: 'n'.repeat(4096) } } });
  });

  it('leaves instances out by the same patterns', () => {
    const instances = ['web-1', 'test-1'].map((name) => ({ ...DOMAIN, name, state: 'running' }));
    const settings = parseReportSettings({ domains: { exclude: ['test-*'] } });

    expect(reportedInstances(instances, settings).map(({ name }) => name)).toEqual(['web-1']);
  });
});

describe('matchesPattern', () => {
  it('agrees with a regular expression', () => {
    assert(
      property(stringMatching(/^[ab]{0,8}$/), stringMatching(/^[ab*?]{0,8}$/), (name, pattern) => {
        const expression = new RegExp(`^${pattern.replaceAll('*', '.*').replaceAll('?', '.')}$`);

        expect(matchesPattern(name, pattern)).toBe(expression.test(name));
      }),
      { numRuns: 1000 },
    );
  });

  it('takes every name literally that has neither star nor question mark', () => {
    assert(property(string(), (name) => /[*?]/.test(name) || matchesPattern(name, name)));
  });

  it('does not take long over a malicious pattern', () => {
    expect(matchesPattern('a'.repeat(255), `${'*a'.repeat(100)}b`)).toBe(false);
  });
});
