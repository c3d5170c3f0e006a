import { describe, expect, it } from 'vitest';

import { SignalBook } from './signal-book.ts';

describe('SignalBook', () => {
  it('turns the ages of the store into times', () => {
    const book = new SignalBook();

    book.take(
      [{ host: 'n1', source: 'agent', aliveAgeMs: 30, deadSinceAgeMs: undefined, deadAgeMs: undefined }],
      [{ host: 'n1', previousBoot: undefined, latestBoot: { bootId: 'b', uptimeSeconds: 1 }, instances: 3 }],
      1_000,
    );

    expect(book.signalsOf('n1').get('agent')).toEqual({
      source: 'agent',
      aliveAt: 970,
      deadSince: undefined,
      deadAt: undefined,
    });
    expect(book.bootsOf('n1')).toEqual({ previous: undefined, latest: { bootId: 'b', uptimeSeconds: 1 } });
    expect(book.newestLifeBy('agent')).toBe(970);
  });

  it('never takes a sign of life back', () => {
    const book = new SignalBook();
    book.alive('n1', 'agent', 500);

    book.take(
      [{ host: 'n1', source: 'agent', aliveAgeMs: 900, deadSinceAgeMs: undefined, deadAgeMs: undefined }],
      [],
      1_000,
    );

    expect(book.signalsOf('n1').get('agent')?.aliveAt).toBe(500);
  });

  it('keeps the first and the last of a row of statements of death', () => {
    const book = new SignalBook();

    for (const at of [10, 20, 30]) book.dead('n1', 'bmc', at);

    expect(book.signalsOf('n1').get('bmc')).toMatchObject({ deadSince: 10, deadAt: 30 });
  });

  it('breaks a row by a sign of life after its beginning, and by silence', () => {
    const book = new SignalBook();
    book.dead('n1', 'bmc', 10);
    book.alive('n1', 'bmc', 20);
    book.dead('n2', 'compute-service', 10);
    book.silent('n2', 'compute-service');

    book.dead('n1', 'bmc', 30);
    book.dead('n2', 'compute-service', 30);

    expect(book.signalsOf('n1').get('bmc')).toMatchObject({ aliveAt: 20, deadSince: 30 });
    expect(book.signalsOf('n2').get('compute-service')).toMatchObject({ aliveAt: undefined, deadSince: 30 });
  });

  it('knows nothing of hosts that nobody has spoken of', () => {
    const book = new SignalBook();

    expect([...book.signalsOf('n9').keys()]).toEqual([]);
    expect(book.bootsOf('n9')).toEqual({ previous: undefined, latest: undefined });
  });
});
