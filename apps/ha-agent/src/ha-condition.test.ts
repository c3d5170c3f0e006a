import { describe, expect, it } from 'vitest';

import { haCondition, type HaCircumstances } from './ha-condition.ts';

const CALM: HaCircumstances = {
  serviceUrl: 'https://ha.example',
  hasDelivered: true,
  outage: undefined,
  waiting: 0,
  degradedSince: undefined,
  settingsTrouble: undefined,
};
const outage = {
  since: new Date('2026-01-02T03:04:05.678Z'),
  failure: 'server-error',
  why: 'it answered 503',
} as const;

describe('haCondition', () => {
  it.each([
    { change: {}, says: 'True/Reporting', message: /reach the HA service at https:\/\/ha.example$/ },
    { change: { hasDelivered: false }, says: 'Unknown/Starting', message: /yet$/ },
    { change: { serviceUrl: undefined }, says: 'False/NotConfigured', message: /no HA service is configured/ },
    {
      change: { outage, waiting: 1234 },
      says: 'False/ServiceUnreachable',
      message: /^about 1000 records wait since 2026-01-02T03:04:05Z, because .* does not take them: it answered 503$/,
    },
    {
      change: { outage: { ...outage, failure: 'timeout' as const } },
      says: 'False/ServiceUnreachable',
      message: /cannot be reached/,
    },
    {
      change: { outage: { ...outage, failure: 'refused' as const } },
      says: 'False/ServiceRefuses',
      message: /does not take them/,
    },
    { change: { degradedSince: outage.since }, says: 'False/QueueDegraded', message: /since 2026-01-02T03:04:05Z/ },
    {
      change: { degradedSince: outage.since, outage },
      says: 'False/QueueDegraded',
      message: /sent from there; about 0 records/,
    },
    {
      change: { settingsTrouble: 'x: events' },
      says: 'True/Reporting',
      message: /earlier report settings .* x: events$/,
    },
  ])('is $says with $change', ({ change, says, message }) => {
    const condition = haCondition({ ...CALM, ...change });

    expect(`${condition.status}/${condition.reason}`).toBe(says);
    expect(condition).toMatchObject({ type: 'HaAgent', message: expect.stringMatching(message) });
  });

  it('says the same while one more record waits', () => {
    const [one, other] = [140, 141].map((waiting) => haCondition({ ...CALM, outage, waiting }));

    expect(one).toEqual(other);
  });
});
