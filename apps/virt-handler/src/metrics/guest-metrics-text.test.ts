import { expect, it } from 'vitest';

import { guestMetricsText } from './guest-metrics-text.ts';

it('tells what guests use in the names and units that dashboards expect', () => {
  const text = textOf({
    'cpu.time': 1_500_000_000n,
    'balloon.rss': 2n,
    'vcpu.maximum': 2,
    'vcpu.0.time': 1_000_000_000n,
    'net.count': 1,
    'net.0.name': 'vnet0',
    'net.0.rx.bytes': 7n,
    'block.count': 1,
    'block.0.name': 'vda',
    'block.0.rd.times': 2_000_000_000n,
  });

  expect(text.split('\n').filter((line) => line !== '' && !line.startsWith('# HELP'))).toEqual([
    '# TYPE kubevirt_vmi_cpu_usage_seconds_total counter',
    'kubevirt_vmi_cpu_usage_seconds_total{node="n1",namespace="shop",name="web"} 1.5',
    '# TYPE kubevirt_vmi_memory_resident_bytes gauge',
    'kubevirt_vmi_memory_resident_bytes{node="n1",namespace="shop",name="web"} 2048',
    '# TYPE kubevirt_vmi_vcpu_seconds_total counter',
    'kubevirt_vmi_vcpu_seconds_total{node="n1",namespace="shop",name="web",id="0"} 1',
    '# TYPE kubevirt_vmi_network_receive_bytes_total counter',
    'kubevirt_vmi_network_receive_bytes_total{node="n1",namespace="shop",name="web",interface="vnet0"} 7',
    '# TYPE kubevirt_vmi_storage_read_times_seconds_total counter',
    'kubevirt_vmi_storage_read_times_seconds_total{node="n1",namespace="shop",name="web",drive="vda"} 2',
  ]);
});

it('leaves domains of others out', () => {
  expect([...guestMetricsText('n1', [{ domain: { name: 'theirs' }, params: { 'cpu.time': 1n } }])]).toEqual([]);
});

it('does not believe a count that cannot be', () => {
  expect(textOf({ 'net.count': 4_000_000_000, 'net.0.name': 'a', 'net.0.rx.bytes': 1n }).split('\n')).toHaveLength(4);
});

function textOf(params: Readonly<Record<string, number | bigint | string>>): string {
  return [...guestMetricsText('n1', [{ domain: { name: 'shop_web' }, params }])].join('');
}
