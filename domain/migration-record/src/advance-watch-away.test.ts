import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { advanceWatch, type Sighting } from './advance-watch.ts';
import { FIRST_MS, iteration, job, lifecycle, monitor, outgoing, see, self } from './see-sightings.ts';
import { observationOf, resumeWatch } from './watch.ts';

const reconnected: Sighting = { kind: 'reconnected' };
const sending = outgoing(400n, 4096n);

describe('an origin whose daemon was out of reach', () => {
  it.each<{ what: string; seen: readonly Sighting[]; end: string }>([
    // A daemon that was started anew has no job: it cancels what QEMU still does, and says nothing of it.
    {
      what: 'the daemon was started anew and cancelled what it found under way',
      seen: [reconnected, monitor('cancelling'), monitor('cancelled'), job('none')],
      end: 'failed',
    },
    {
      what: 'the daemon was started anew, and its word came before it was known that it had been away',
      seen: [reconnected, monitor('cancelling'), reconnected, job('none')],
      end: 'failed',
    },
    {
      what: 'the daemon was started anew when all was over',
      seen: [reconnected, job('none')],
      end: 'failed',
    },
    {
      what: 'QEMU had given up',
      seen: [reconnected, monitor('failed'), job('none')],
      end: 'failed',
    },
    {
      what: 'a client had cancelled it before',
      seen: [monitor('cancelling'), emptied(2400n), reconnected, job('none')],
      end: 'cancelled',
    },
    {
      what: 'a client had cancelled it just before',
      seen: [monitor('cancelling'), reconnected, monitor('cancelled'), job('none')],
      end: 'cancelled',
    },
    {
      what: 'the daemon went on with it, until a client cancelled it',
      seen: [reconnected, outgoing(2400n, 8192n), monitor('cancelling'), monitor('cancelled'), job('none')],
      end: 'cancelled',
    },
    {
      what: 'the daemon had gone on with it when a client cancelled it at once',
      seen: [reconnected, monitor('cancelling'), emptied(3400n), monitor('cancelled'), job('none')],
      end: 'cancelled',
    },
    {
      what: 'the daemon went on with it to its end',
      seen: [reconnected, outgoing(2400n, 8192n), lifecycle('stopped migrated')],
      end: 'completed',
    },
  ])('ends as $end when $what', ({ seen, end }) => {
    expect(see(iteration, sending, ...seen).watch?.end?.result.kind).toBe(end);
  });

  it('is never told as cancelled by what QEMU says before it is seen to go on', () => {
    const status = fc.constantFrom('setup', 'active', 'cancelling', 'cancelled', 'failed').map(monitor);
    fc.assert(
      fc.property(fc.array(status, { maxLength: 6 }), (seen) => {
        const { told } = see(iteration, sending, reconnected, ...seen, job('none'));

        expect(told).toEqual(['origin 1', 'origin 1 failed']);
      }),
    );
  });

  it('is told apart from its next try, which a client may cancel', () => {
    const retry = [monitor('setup'), iteration, outgoing(37n)];
    const { told } = see(
      iteration,
      sending,
      reconnected,
      monitor('cancelling'),
      monitor('cancelled'),
      ...retry,
      monitor('cancelling'),
      job('none'),
    );

    expect(told).toEqual(['origin 1', 'origin 1 failed', 'origin 1', 'origin 1 cancelled']);
  });

  it('may have lost its daemon while nobody looked, too', () => {
    const before = see(iteration, sending).watch;
    const moment = { wallMs: FIRST_MS + 2000, monotonicMs: 2000 };
    const resumed = before && resumeWatch(observationOf(before, self, moment), moment);
    const endAfter = (...seen: readonly Sighting[]): string | undefined => {
      let watch = resumed;
      for (const sighting of seen) ({ watch } = advanceWatch(watch, sighting, moment));
      return watch?.end?.result.kind;
    };

    expect(endAfter(monitor('cancelling'), job('none'))).toBe('failed');
    expect(endAfter(outgoing(1400n), monitor('cancelling'), job('none'))).toBe('cancelled');
  });
});

it('means nothing for a destination, nor for what is over or unknown, that the daemon was out of reach', () => {
  const arriving = see(lifecycle('started migrated')).watch;
  const over = see(iteration, sending, lifecycle('stopped migrated')).watch;
  const moment = { wallMs: FIRST_MS + 9000, monotonicMs: 9000 };

  for (const watch of [arriving, over, undefined]) {
    expect(advanceWatch(watch, reconnected, moment)).toEqual({ watch, effects: [] });
  }
});

/** What libvirt says for a moment after a client has cancelled. */
function emptied(elapsed: bigint): Sighting {
  return job('unbounded', { operation: 5, time_elapsed: elapsed, memory_total: 0n, data_processed: 0n });
}
