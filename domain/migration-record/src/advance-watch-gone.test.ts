import { describe, expect, it } from 'vitest';

import { advanceWatch, type Sighting } from './advance-watch.ts';
import { FIRST_MS, iteration, job, lifecycle, missing, monitor, outgoing, see } from './see-sightings.ts';
import type { Watch } from './watch.ts';

const departing = [iteration, outgoing(400n)];

describe('a guest that is gone from its origin', () => {
  it.each([
    { what: 'QEMU had sent all', seen: [monitor('completed')] },
    { what: 'its job was complete', seen: [job('completed')] },
    { what: 'QEMU had sent all, and a look still found it', seen: [monitor('completed'), outgoing(2400n)] },
  ])('has left if $what, though no event told so', ({ seen }) => {
    const { told } = see(...departing, ...seen, missing(false));

    expect(told.at(-1)).toBe('origin 1 completed');
  });

  it('is not known to have left if nobody knows whether it was a migration: saving it looks the same', () => {
    const { watch, told } = see(iteration, monitor('completed'), missing(false), missing(false));

    expect({ watch, told }).toEqual({ watch: undefined, told: [] });
  });

  it('is not told as completed when QEMU had sent all and it was destroyed', () => {
    const { told } = see(...departing, monitor('completed'), lifecycle('stopped destroyed'));

    expect(told.at(-1)).toBe('origin 1 failed');
  });

  it('waits a second for the event, however many looks find it gone', () => {
    const looks = [0, 1, 2, 998].map((ms) => ({ sighting: missing(false), ms }));

    const event = { sighting: lifecycle('stopped migrated'), ms: 999 };
    expect(after(...looks)?.end).toBeUndefined();
    expect(after(...looks, event)?.end?.result).toEqual({ kind: 'completed' });
    expect(after(...looks, { sighting: missing(false), ms: 1000 })?.end?.result.kind).toBe('failed');
  });

  it('is waited for anew when it was found in between', () => {
    const { watch } = see(...departing, missing(false), outgoing(3400n), missing(false));

    expect(watch?.end).toBeUndefined();
  });

  it('has left after all if the event comes when nobody waits for it any more, and it is the same migration', () => {
    const gone = [...departing, missing(false), missing(false)];

    const { told, watch } = see(...gone, lifecycle('stopped migrated'));

    expect(told.slice(-2)).toEqual(['origin 1 failed', 'origin 1 completed']);
    expect(watch).toMatchObject({ startedAtMs: see(...gone).watch?.startedAtMs, end: { monotonicMs: 3000 } });
    expect(watch?.end?.isGuess).toBeUndefined();
  });

  it('is told once if it is found gone before the event comes', () => {
    const { told } = see(...departing, missing(true), lifecycle('stopped migrated'));

    expect(told).toEqual(['origin 1', 'origin 1 completed']);
  });

  it('has left on a later journey if it was seen to stay before', () => {
    const { told, watch } = see(...departing, job('none'), lifecycle('stopped migrated'));

    expect(told.slice(-2)).toEqual(['origin 1 failed', 'origin completed']);
    expect(watch?.startedAtMs).toBe(FIRST_MS + 3000);
  });
});

/** What becomes of a departure, by milliseconds since the first look. */
function after(...seen: readonly { readonly sighting: Sighting; readonly ms: number }[]): Watch | undefined {
  const from = { wallMs: FIRST_MS + 5000, monotonicMs: 5000 };
  let { watch } = see(...departing);
  for (const { sighting, ms } of seen) {
    const moment = { wallMs: from.wallMs + ms, monotonicMs: from.monotonicMs + ms };
    ({ watch } = advanceWatch(watch, sighting, moment));
  }
  return watch;
}
