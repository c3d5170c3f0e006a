import { defaultKdumpSettings as kdump, type KdumpSettings } from '../sources/kdump/kdump-settings.ts';
import { named } from './shape/list-shapes.ts';
import { section } from './shape/object-shape.ts';
import { milliseconds, text } from './shape/scalar-shapes.ts';
import type { Shape } from './shape/shape.ts';

/** Hosts that write a kernel dump and tell so. */
export const kdumpSection: Shape<KdumpSettings> = section(
  'hosts that write a kernel dump, which fence_kdump_send tells; have it sent to every replica',
  {
    listen: text('address and UDP port to listen on, such as :7410; empty: nothing listens', {
      pattern: /^(?:\[[0-9a-fA-F:.]*\]|[^\s:[\]]*):\d{1,5}$/,
      what: 'an address and a port, such as :7410',
      fallback: kdump.listen,
    }),
    windowMs: milliseconds('how long one message holds a host back', kdump.windowMs, 1_000),
    maximumMs: milliseconds('how long all of a row may, because anybody can send them', kdump.maximumMs, 1_000),
    addresses: named(
      'names of hosts by the addresses that they send from; else status.internalIp of their Hypervisors counts',
      text('the name of a host'),
    ),
  },
);
