import { describe, expect, it } from 'vitest';

import { SharedListing } from './shared-listing.ts';

const signal = new AbortController().signal;

describe('a shared listing', () => {
  it('is fetched once for all who ask while it is under way, and for some time after', async () => {
    const { listing, answers, clock } = given();

    const first = [listing.value(signal), listing.value(signal)];
    answers[0]?.resolve([1]);
    await Promise.all(first);
    clock.time += 1_000;
    const later = await listing.value(signal);

    expect(later).toEqual([1]);
    expect(answers).toHaveLength(1);
  });

  it('is fetched anew when it is too old', async () => {
    const { listing, answers, clock } = given();
    const first = listing.value(signal);
    answers[0]?.resolve([1]);
    await first;

    clock.time += 1_001;
    const second = listing.value(signal);
    answers[1]?.resolve([2]);

    expect(await second).toEqual([2]);
  });

  it('gives its failure to all who wait, and to nobody after them', async () => {
    const { listing, answers } = given();
    const failing = [listing.value(signal), listing.value(signal)];

    answers[0]?.reject(new Error('broken'));
    const outcomes = await Promise.allSettled(failing);
    const next = listing.value(signal);
    answers[1]?.resolve([2]);

    expect(outcomes).toMatchObject([{ status: 'rejected' }, { status: 'rejected' }]);
    expect(await next).toEqual([2]);
  });

  it('goes on for the others when one gives up', async () => {
    const { listing, answers } = given();
    const impatient = new AbortController();

    const givenUp = listing.value(impatient.signal);
    const other = listing.value(signal);
    impatient.abort();
    answers[0]?.resolve([1]);

    await expect(givenUp).rejects.toMatchObject({ code: 'aborted', message: 'numbers: given up by the caller' });
    await expect(listing.value(impatient.signal)).rejects.toMatchObject({ code: 'aborted' });
    expect(await other).toEqual([1]);
  });

  it('is fresh for those who ask for that: nothing counts that was begun before, and one fetch serves them all', async () => {
    const { listing, answers } = given();

    const early = listing.value(signal);
    const fresh = [listing.fresh(signal), listing.fresh(signal)];
    answers[0]?.resolve([1]);
    await early;
    await until(() => answers.length > 1);
    answers[1]?.resolve([2]);

    expect(await early).toEqual([1]);
    expect(await Promise.all(fresh)).toEqual([[2], [2]]);
    expect(answers).toHaveLength(2);
  });

  it('is fetched afresh also after the one before it failed', async () => {
    const { listing, answers } = given();
    const early = listing.value(signal);
    const fresh = listing.fresh(signal);

    answers[0]?.reject(new Error('broken'));
    await expect(early).rejects.toThrow('broken');
    await until(() => answers.length > 1);
    answers[1]?.resolve([2]);

    expect(await fresh).toEqual([2]);
  });

  it('has own changes in it, those made while it was being fetched included', async () => {
    const { listing, answers } = given();
    const fetching = listing.value(signal);

    listing.change((numbers) => numbers.push(10));
    answers[0]?.resolve([1]);
    const fetched = [...(await fetching)];
    listing.change((numbers) => numbers.push(11));

    expect(fetched).toEqual([1, 10]);
    expect(await listing.value(signal)).toEqual([1, 10, 11]);
  });

  it('needs no change noted while there is nothing to change', async () => {
    const { listing, answers } = given();

    listing.change((numbers) => numbers.push(10));
    const first = listing.value(signal);
    answers[0]?.resolve([1]);

    expect(await first).toEqual([1]);
  });

  it('is fetched anew once it was forgotten', async () => {
    const { listing, answers } = given();
    const first = listing.value(signal);
    answers[0]?.resolve([1]);
    await first;

    listing.forget();
    const second = listing.value(signal);
    answers[1]?.resolve([2]);

    expect(await second).toEqual([2]);
  });
});

function given() {
  const answers: PromiseWithResolvers<number[]>[] = [];
  const clock = { time: 0, now: () => clock.time };
  const listing = new SharedListing({
    what: 'numbers',
    listingMs: 1_000,
    clock,
    lifetime: signal,
    fetch: async () => {
      const answer = Promise.withResolvers<number[]>();
      answers.push(answer);
      return await answer.promise;
    },
  });
  return { listing, answers, clock };
}

/** Lets what is ready run until something is so. */
async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await Promise.resolve();
}
