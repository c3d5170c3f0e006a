import type { TypedParameters } from '@smalt/libvirt';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { domainMetricsText, listedDomains, type DomainStatistics } from './domain-metrics-text.ts';

const UUID = '2d9d5ae1-7380-4771-99fc-7235f04d011e';
const SERIES = /^libvirt_domain_\w+\{domain="(?:[^"\\]|\\.)*",uuid="[^"]*"(?:,\w+="(?:[^"\\]|\\.)*")?\} \S+$/;

describe('domainMetricsText', () => {
  it.each([
    { field: 'vcpu.current', value: 2, line: `libvirt_domain_info_vcpus{${labels()}} 2` },
    { field: 'balloon.current', value: 131_072n, line: `libvirt_domain_info_memory_bytes{${labels()}} 134217728` },
    { field: 'balloon.rss', value: 1n, line: `libvirt_domain_memory_usage_bytes{${labels()}} 1024` },
    { field: 'balloon.maximum', value: 2n, line: `libvirt_domain_info_maximum_memory_bytes{${labels()}} 2048` },
    { field: 'state.state', value: 3, line: `libvirt_domain_info_vstate{${labels()}} 3` },
    { field: 'cpu.time', value: 1_630_000_000n, line: `libvirt_domain_info_cpu_time_seconds_total{${labels()}} 1.63` },
    { field: 'balloon.major_fault', value: 7n, line: `libvirt_domain_memory_stats_major_fault_total{${labels()}} 7` },
  ])('tells $field of a domain', ({ field, value, line }) => {
    const text = textOf([record('g', { [field]: value })]);

    expect(text.split('\n')).toContain(line);
  });

  it('tells the time of each vCPU, also when one is offline', () => {
    const text = textOf([record('g', { 'vcpu.maximum': 3, 'vcpu.0.time': 1_340_000_000n, 'vcpu.2.time': 5n })]);

    expect(linesOf(text, 'libvirt_domain_vcpu_time_seconds_total')).toEqual([
      `libvirt_domain_vcpu_time_seconds_total{${labels()},vcpu="0"} 1.34`,
      `libvirt_domain_vcpu_time_seconds_total{${labels()},vcpu="2"} 5e-9`,
    ]);
  });

  it('tells the traffic of disks and interfaces by both names, each with its label', () => {
    const disk = { 'block.count': 1, 'block.0.name': 'vda', 'block.0.wr.bytes': 512n };
    const nic = { 'net.count': 2, 'net.1.name': 'tap-x', 'net.1.tx.drop': 4n };

    const text = textOf([record('g', { ...disk, ...nic })]);

    expect(text.split('\n').filter((line) => line.startsWith('libvirt'))).toEqual([
      `libvirt_domain_block_write_bytes_total{${labels()},device="vda"} 512`,
      `libvirt_domain_block_stats_write_bytes_total{${labels()},target_device="vda"} 512`,
      `libvirt_domain_net_transmit_drops_total{${labels()},interface="tap-x"} 4`,
      `libvirt_domain_interface_stats_transmit_drops_total{${labels()},target_device="tap-x"} 4`,
    ]);
  });

  it.each([
    { available: 200n, usable: 50n, percent: '75' },
    { available: 200n, usable: undefined, percent: undefined },
    { available: 0n, usable: 0n, percent: undefined },
  ])('a guest with $available KiB of which $usable are usable uses $percent %', ({ available, usable, percent }) => {
    const statistics = { 'balloon.available': available, 'balloon.usable': usable };

    const [line] = linesOf(textOf([record('g', statistics)]), 'libvirt_domain_memory_stats_used_percent');

    expect(line?.split(' ')[1]).toBe(percent);
  });

  it('keeps the series of a metric together under one header', () => {
    const records = ['a', 'b'].map((name) => record(name, { 'vcpu.current': 1, 'state.state': 1 }));

    const text = textOf(records);

    expect(text.slice(0, text.indexOf('# HELP libvirt_domain_info_vstate'))).toBe(
      [
        '# HELP libvirt_domain_info_vcpus Number of vCPUs of the domain that are online.',
        '# TYPE libvirt_domain_info_vcpus gauge',
        `libvirt_domain_info_vcpus{domain="a",uuid="${UUID}"} 1`,
        `libvirt_domain_info_vcpus{domain="b",uuid="${UUID}"} 1`,
        '',
      ].join('\n'),
    );
  });

  it('comes in pieces of a size that can be handled', () => {
    const records = Array.from({ length: 1_000 }, (_, index) =>
      record(`d${index}`, { 'state.state': 1, 'cpu.time': 1n }),
    );

    const pieces = [...domainMetricsText(records)];

    expect(pieces.length).toBeGreaterThan(4);
    expect(Math.max(...pieces.map((piece) => piece.length))).toBeLessThan(40_000);
    expect(linesOf(pieces.join(''), 'libvirt_domain_info_vstate')).toHaveLength(1_000);
  });

  it('prints whatever a daemon says so that Prometheus can read it', () => {
    const value = fc.oneof(fc.integer(), fc.bigInt(), fc.double(), fc.string(), fc.boolean());
    const field = fc.constantFrom('vcpu.maximum', 'vcpu.0.time', 'net.count', 'net.0.name', 'net.0.rx.bytes', 'x');
    const statistics = fc.dictionary(field, value);

    const unreadable = fc.check(
      fc.property(fc.string(), statistics, (name, params) => {
        const lines = textOf([record(name, params)]).split('\n');
        return lines.every((line) => line === '' || line.startsWith('# ') || SERIES.test(line));
      }),
    );

    expect(unreadable.counterexample).toBeNull();
  });
});

it('leaves the last domains out whole when there would be too many series', () => {
  const records = ['c', 'a', 'b'].map((name) => record(name, { 'state.state': 1, 'cpu.time': 1n }));

  const listed = listedDomains(records, 3);

  expect(listed.map(({ domain }) => domain.name)).toEqual(['a', 'b']);
});

function textOf(records: readonly DomainStatistics[]): string {
  return [...domainMetricsText(records)].join('');
}

function record(name: string, params: TypedParameters): DomainStatistics {
  return { domain: { name, uuid: UUID }, params };
}

function labels(): string {
  return `domain="g",uuid="${UUID}"`;
}

function linesOf(text: string, name: string): readonly string[] {
  return text.split('\n').filter((line) => line.startsWith(`${name}{`));
}
