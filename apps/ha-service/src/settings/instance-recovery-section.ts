import { defaultInstanceRecoverySettings as defaults, type InstanceRecoverySettings } from '@smalt/instance-recovery';

import { section } from './shape/object-shape.ts';
import { flag, milliseconds, whole } from './shape/scalar-shapes.ts';
import type { Shape } from './shape/shape.ts';

export const instanceRecoverySection: Shape<InstanceRecoverySettings> = section(
  'instances that crash, hang or cannot write',
  {
    isEnabled: flag('whether anything is done about them', defaults.isEnabled),
    settleMs: milliseconds('how long one may take to settle, or to come back by itself', defaults.settleMs),
    stallMs: milliseconds('the same for one that cannot write', defaults.stallMs),
    maximumRestarts: whole('how many restarts in place within the window', { fallback: defaults.maximumRestarts }),
    windowMs: milliseconds('that window', defaults.windowMs, 1),
    backOffMs: milliseconds('the pause after the first restart; it doubles with each', defaults.backOffMs, 1),
    mayMove: flag('whether one that keeps failing is moved to another host', defaults.mayMove),
    steadyMs: milliseconds('how long one must run before its trouble is over', defaults.steadyMs, 1),
    graceMs: milliseconds('after which a request that shows nothing is taken for lost', defaults.graceMs, 1),
    actionTimeoutMs: milliseconds('after which a person is called', defaults.actionTimeoutMs, 1),
    maximumEventAgeMs: milliseconds('events that are older when they come are history', defaults.maximumEventAgeMs, 1),
    missedPings: whole('how many pings in a row a guest agent must miss', { fallback: defaults.missedPings, least: 2 }),
    maximumAtOnce: whole('how many instances at a time, in the whole fleet', {
      fallback: defaults.maximumAtOnce,
      least: 1,
    }),
  },
);
