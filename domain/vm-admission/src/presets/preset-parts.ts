import type { Clock, DomainSpec } from '@smalt/vm-api';

type Value = object | string;

/** One thing that presets can say: all of it or nothing is taken over. */
export interface PresetPart {
  /** As it is told. */
  readonly field: string;
  /** Whether it is a list of names with values. */
  readonly isMap?: boolean;
  read(domain: DomainSpec): Value | undefined;
  write(domain: DomainSpec, value: Value): DomainSpec;
}

/** What presets are looked at for; everything else in them counts for nothing, as in KubeVirt. */
export const presetParts: readonly PresetPart[] = [
  {
    field: 'spec.resources.requests',
    isMap: true,
    read: ({ resources }) => orNothing(resources?.requests),
    write: (domain, requests) => ({ ...domain, resources: { ...domain.resources, ...part({ requests }) } }),
  },
  simple('cpu'),
  simple('firmware'),
  {
    field: 'spec.clock.clockoffset',
    read: ({ clock }) => offsetOf(clock),
    write: (domain, offset) => ({ ...domain, clock: { ...domain.clock, ...part(offset) } }),
  },
  {
    field: 'spec.clock.timer',
    read: ({ clock }) => clock?.timer,
    write: (domain, timer) => ({ ...domain, clock: { ...domain.clock, ...part({ timer }) } }),
  },
  simple('features'),
  {
    field: 'spec.devices.watchdog',
    read: ({ devices }) => devices.watchdog,
    write: (domain, watchdog) => ({ ...domain, devices: { ...domain.devices, ...part({ watchdog }) } }),
  },
  simple('ioThreadsPolicy'),
];

function simple(name: 'cpu' | 'firmware' | 'features' | 'ioThreadsPolicy'): PresetPart {
  return {
    field: `spec.${name}`,
    read: (domain) => domain[name],
    write: (domain, value) => ({ ...domain, [name]: value }),
  };
}

/** Either of the two ways to say it; a clock that says neither leaves it open. */
function offsetOf(clock: Clock | undefined): Value | undefined {
  const { utc, timezone } = clock ?? {};
  return orNothing({ ...(utc === undefined ? {} : { utc }), ...(timezone === undefined ? {} : { timezone }) });
}

function orNothing(value: object | undefined): Value | undefined {
  return value === undefined || Object.keys(value).length === 0 ? undefined : value;
}

/** What was read from one domain is of the form that it has in another. */
function part(value: Value): object {
  return Object(value);
}
