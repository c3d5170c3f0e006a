import { readFileSync } from 'node:fs';

import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { type DomainFacts, hypervisorFacts } from './hypervisor-facts.ts';
import { readDomainCapabilities } from './read-domain-capabilities.ts';
import { readDomainUse } from './read-domain-use.ts';
import { readHostCapabilities } from './read-host-capabilities.ts';

const host = readHostCapabilities(fixture('host-four-sockets'));
const nova = guest('instance-0000002a', true, fixture('nova-instance'));
const plainGuest = guest('plain-guest', false, fixture('plain-guest'));
const broken = guest('broken', true, '<domain><vcpu>3</vcpu></domain>');

describe('hypervisorFacts', () => {
  it('tells all that libvirt knows about a host', () => {
    const { fields, notes } = hypervisorFacts({
      libvirtVersion: 11_003_000n,
      hypervisorVersion: 48_000_000,
      host,
      domainCapabilities: readDomainCapabilities(fixture('domain-capabilities-ch')),
      domains: [plainGuest, nova],
      overcommit: { cpu: 2 },
    });

    expect(notes).toEqual([]);
    expect(fields).toMatchObject({
      libVirtVersion: '11.3.0',
      hypervisorVersion: '48.0.0',
      capabilities: { cpuArch: 'x86_64', memory: '4227289164Ki', cpus: '256' },
      domainCapabilities: { hypervisorType: 'ch' },
      instances: [
        { id: 'id-of-instance-0000002a', name: 'instance-0000002a', active: true },
        { id: 'id-of-plain-guest', name: 'plain-guest', active: false },
      ],
      numInstances: 2,
      allocation: { memory: '26608Mi', cpu: '10' },
      capacity: { memory: '4227289164Ki', cpu: '256' },
      effectiveCapacity: { memory: '4227289164Ki', cpu: '512' },
    });
    expect(fields.cells?.map(({ cellID, allocation }) => [cellID, allocation])).toEqual([
      [0, { memory: '0', cpu: '0' }],
      [1, { memory: '24560Mi', cpu: '6' }],
      [2, { memory: '0', cpu: '0' }],
      [3, { memory: '0', cpu: '0' }],
    ]);
  });

  it('counts the others in full beside a domain with odd XML, and names that domain', () => {
    const { fields, notes } = hypervisorFacts({ host, domains: [broken, nova] });

    expect(fields).toMatchObject({ numInstances: 2, allocation: { memory: '24560Mi', cpu: '9' } });
    expect(notes).toEqual(['domain broken: <memory> is missing']);
  });

  it('leaves out what is not known yet', () => {
    expect(hypervisorFacts({ domains: [{ id: 'u', name: 'n', active: true }] })).toEqual({
      fields: { instances: [{ id: 'u', name: 'n', active: true }], numInstances: 1 },
      notes: [],
    });
  });

  it('says the same whatever order the domains come in', () => {
    const domains = [nova, plainGuest, broken, { ...nova, name: 'twin' }];

    fc.assert(
      fc.property(fc.shuffledSubarray(domains, { minLength: domains.length }), (shuffled) => {
        expect(hypervisorFacts({ host, domains: shuffled })).toEqual(hypervisorFacts({ host, domains }));
      }),
    );
  });
});

function guest(name: string, active: boolean, xml: string): DomainFacts {
  return { id: `id-of-${name}`, name, active, use: readDomainUse(xml, { host }) };
}

function fixture(name: string): string {
  return readFileSync(new URL(`../fixtures/${name}.xml`, import.meta.url), 'utf8');
}
