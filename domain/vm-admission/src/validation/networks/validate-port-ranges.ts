import type { Interface, PortRange } from '@smalt/vm-api';

import { invalid, type Cause } from '../../cause.ts';
import type { ClusterSettings } from '../../cluster-settings.ts';
import { gateAdvice, isGateOpen } from '../../feature-gates.ts';

const MAX_PORT = 65_535;
const MAX_RANGES = 10;

/** Ranges of ports are behind a gate, for masquerade only, in place of single ports, and do not overlap. */
export function validatePortRanges(
  nic: Interface,
  field: string,
  { isOnPodNetwork, settings }: { readonly isOnPodNetwork: boolean; readonly settings: ClusterSettings },
): readonly Cause[] {
  const { portRanges: ranges, ports, masquerade } = nic;
  if (ranges === undefined) return [];
  if (!isGateOpen(settings, 'PortRangesSpec')) {
    const message = 'portRanges is specified on interface but the PortRangesSpec feature gate is not enabled';
    return [invalid(`${field}.name`, message, gateAdvice('PortRangesSpec'))];
  }
  if (!isOnPodNetwork) return [];
  const both = 'Cannot define both ports and portRanges on interface';
  const onlyMasquerade = 'portRanges are only supported on masquerade interfaces';
  return [
    ...(ports === undefined ? [] : [invalid(`${field}.name`, both)]),
    ...(masquerade === undefined ? [invalid(`${field}.name`, onlyMasquerade)] : []),
    ...validateRanges(ranges, `${field}.portRanges`),
  ];
}

function validateRanges(ranges: readonly PortRange[], field: string): readonly Cause[] {
  if (ranges.length > MAX_RANGES) return [invalid(field, 'No more than 10 portRanges are allowed')];
  const problems = ranges.map((range) => rangeProblem(range));
  const good = ranges.filter((_range, index) => problems[index] === undefined);
  return [
    ...problems.flatMap((problem, index) =>
      problem === undefined ? [] : [invalid(`${field}[${index}].${problem.part}`, problem.message)],
    ),
    ...['TCP', 'UDP'].flatMap((protocol) => overlaps(good, protocol).map((message) => invalid(field, message))),
  ];
}

function rangeProblem({
  protocol,
  start,
  end,
}: PortRange): { readonly part: keyof PortRange; readonly message: string } | undefined {
  if (protocol !== 'TCP' && protocol !== 'UDP') {
    return { part: 'protocol', message: 'Unknown protocol, only TCP or UDP allowed' };
  }
  if (!isPort(start)) return { part: 'start', message: 'Start must be a valid port number, 0 < x < 65536' };
  if (!isPort(end)) return { part: 'end', message: 'End must be a valid port number, 0 < x < 65536' };
  return start > end ? { part: 'start', message: 'Start must be less than or equal to end' } : undefined;
}

function overlaps(ranges: readonly PortRange[], protocol: string): readonly string[] {
  const sorted = ranges
    .filter((range) => range.protocol === protocol)
    .toSorted((left, right) => left.start - right.start || left.end - right.end);
  return sorted.flatMap((range, index) => {
    const previous = sorted[index - 1];
    if (previous === undefined || range.start > previous.end) return [];
    return [`${protocol} portRanges [${previous.start}-${previous.end}] and [${range.start}-${range.end}] overlap`];
  });
}

function isPort(port: number): boolean {
  return port > 0 && port <= MAX_PORT;
}
