import { describe, expect, it } from 'vitest';

import { lifecycleDetailName, lifecycleEventName } from './lifecycle-event-name.ts';

describe('lifecycleEventName', () => {
  it('names every event', () => {
    const names = [0, 1, 2, 3, 4, 5, 6, 7, 8].map(lifecycleEventName);

    expect(names).toEqual([
      'defined',
      'undefined',
      'started',
      'suspended',
      'resumed',
      'stopped',
      'shutdown',
      'pm-suspended',
      'crashed',
    ]);
  });

  it('tells the number of an event that is newer than the client', () => {
    expect(lifecycleEventName(99)).toBe('unknown-99');
  });
});

describe('lifecycleDetailName', () => {
  it.each([
    { event: 0, detail: 1, name: 'updated' },
    { event: 1, detail: 1, name: 'renamed' },
    { event: 2, detail: 3, name: 'from-snapshot' },
    { event: 3, detail: 1, name: 'migrated' },
    { event: 3, detail: 8, name: 'postcopy-failed' },
    { event: 4, detail: 0, name: 'unpaused' },
    { event: 5, detail: 5, name: 'failed' },
    { event: 6, detail: 2, name: 'host' },
    { event: 7, detail: 1, name: 'disk' },
    { event: 8, detail: 0, name: 'panicked' },
  ])('calls detail $detail of event $event $name', ({ event, detail, name }) => {
    expect(lifecycleDetailName(event, detail)).toBe(name);
  });

  it.each([
    { event: 5, detail: 77 },
    { event: 99, detail: 77 },
  ])('tells the number of detail $detail of event $event, which is newer than the client', ({ event, detail }) => {
    expect(lifecycleDetailName(event, detail)).toBe('unknown-77');
  });
});
