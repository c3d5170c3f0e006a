import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { compareDomains } from './compare-domains.ts';
import type { DomainSigns, KnownDomain } from './known-domain.ts';

describe('compareDomains', () => {
  it.each([
    { what: 'unchanged', known: known({}), listed: listed({}), changed: false },
    { what: 'new', known: undefined, listed: listed({}), changed: true },
    { what: 'renamed', known: known({}), listed: listed({ name: 'other' }), changed: true },
    { what: 'started', known: known({ id: -1 }), listed: listed({ id: 4 }), changed: true },
    { what: 'started anew', known: known({ id: 3 }), listed: listed({ id: 4 }), changed: true },
  ])('$what: read again is $changed', ({ known: before, listed: now, changed }) => {
    expect(compareDomains(table(before), [now], new Map()).changed).toEqual(changed ? [now] : []);
  });

  it.each<{ what: string; before?: DomainSigns; now: DomainSigns; changed: boolean }>([
    { what: 'as in its XML', now: { vcpus: 2, maxVcpus: 8, memoryKiB: 1024 }, changed: false },
    { what: 'other vCPUs than in its XML', now: { vcpus: 3 }, changed: true },
    { what: 'other memory than in its XML', now: { memoryKiB: 2048 }, changed: true },
    { what: 'as the last poll saw it, though its XML is odd', before: { vcpus: 9 }, now: { vcpus: 9 }, changed: false },
    { what: 'another maximum', before: { maxVcpus: 8 }, now: { maxVcpus: 4 }, changed: true },
    { what: 'too busy to tell', before: { vcpus: 2, memoryKiB: 1024 }, now: {}, changed: false },
  ])('$what: read again is $changed', ({ before, now, changed }) => {
    const signs = new Map([['u1', now]]);

    const comparison = compareDomains(table(known({ signs: before })), [listed({})], signs);

    expect(comparison.changed.length > 0).toBe(changed);
  });

  it('finds those that are gone', () => {
    expect(compareDomains(table(known({})), [], new Map())).toEqual({ changed: [], gone: ['u1'] });
  });

  it('never reads what it has just read, whatever there is', () => {
    const domains = fc.uniqueArray(fc.record({ uuid: fc.uuid(), name: fc.string(), id: fc.integer({ min: -1 }) }), {
      selector: ({ uuid }) => uuid,
    });
    fc.assert(
      fc.property(domains, (all) => {
        const map = new Map(all.map((domain) => [domain.uuid, known(domain)]));

        expect(compareDomains(map, all, new Map())).toEqual({ changed: [], gone: [] });
      }),
    );
  });
});

function known(some: Partial<KnownDomain>): KnownDomain {
  return { uuid: 'u1', name: 'web', id: -1, use: { memoryKiB: 1024, vcpus: 2, cells: [], notes: [] }, ...some };
}

function listed(some: Partial<{ uuid: string; name: string; id: number }>) {
  return { uuid: 'u1', name: 'web', id: -1, ...some };
}

function table(domain: KnownDomain | undefined): ReadonlyMap<string, KnownDomain> {
  return new Map(domain === undefined ? [] : [[domain.uuid, domain]]);
}
