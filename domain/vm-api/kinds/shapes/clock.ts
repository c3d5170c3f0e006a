import { flag, integer, of, shape, text } from '@smalt/kind';
import type { TSchema } from 'typebox';

const hpetTimer: TSchema = shape({
  name: 'HPETTimer',
  description: 'The high precision event timer.',
  fields: {
    present: flag('Whether the guest has it; true when not set.'),
    tickPolicy: text('What to do about missed ticks: `delay`, `catchup`, `merge` or `discard`.'),
  },
});

const hypervTimer: TSchema = shape({
  name: 'HypervTimer',
  description: 'The reference clock of Hyper-V.',
  fields: {
    present: flag('Whether the guest has it; true when not set.'),
  },
});

const kvmTimer: TSchema = shape({
  name: 'KVMTimer',
  description: 'The clock of KVM.',
  fields: {
    present: flag('Whether the guest has it; true when not set.'),
  },
});

const pitTimer: TSchema = shape({
  name: 'PITTimer',
  description: 'The programmable interval timer.',
  fields: {
    present: flag('Whether the guest has it; true when not set.'),
    tickPolicy: text('What to do about missed ticks: `delay`, `catchup` or `discard`.'),
  },
});

const rtcTimer: TSchema = shape({
  name: 'RTCTimer',
  description: 'The real-time clock.',
  fields: {
    present: flag('Whether the guest has it; true when not set.'),
    tickPolicy: text('What to do about missed ticks: `delay` or `catchup`.'),
    track: text('What it follows: `guest` or `wall`.'),
  },
});

export const timer: TSchema = shape({
  name: 'Timer',
  description: 'The timers of the guest.',
  fields: {
    hpet: of(hpetTimer, 'The high precision event timer.'),
    hyperv: of(hypervTimer, 'The reference clock of Hyper-V.'),
    kvm: of(kvmTimer, 'The clock of KVM.'),
    pit: of(pitTimer, 'The programmable interval timer.'),
    rtc: of(rtcTimer, 'The real-time clock.'),
  },
});

export const clockOffsetUTC: TSchema = shape({
  name: 'ClockOffsetUTC',
  description: 'The clock of the guest starts at UTC.',
  fields: {
    offsetSeconds: integer('By how much it differs, in seconds.'),
  },
});

export const clock: TSchema = shape({
  name: 'Clock',
  description: 'The clock of the guest.',
  fields: {
    timer: of(timer, 'The timers of the guest.'),
    timezone: text('The clock starts at the time of this zone, such as `Europe/Berlin`.'),
    utc: of(clockOffsetUTC, 'The clock starts at UTC.'),
  },
});
