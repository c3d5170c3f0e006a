import { stripVTControlCharacters } from 'node:util';

import { expect, it } from 'vitest';

import { Checklist } from './checklist.ts';

const ESCAPE = '\u001B';
const UP = new RegExp(String.raw`${ESCAPE}\[(\d)A`, 'g');
const COLOUR = new RegExp(String.raw`${ESCAPE}\[\d+m`, 'g');

it('prints a line for each step as it ends where lines cannot be written over', async () => {
  const { screen, text, clock } = paper({ isTerminal: false });
  using list = new Checklist(screen, () => clock.ms);
  const slow = Promise.withResolvers<void>();

  const both = list.step('API server', async (tell) => {
    await slow.promise;
    tell('https://127.0.0.1:6443');
  });
  await list.step('libvirt', async () => {
    await Promise.resolve();
    clock.ms += 400;
  });
  list.print('a word meanwhile');
  clock.ms += 600;
  slow.resolve();
  await both;

  expect(text()).toBe(
    '✔ libvirt            0.4 s\na word meanwhile\n✔ API server         https://127.0.0.1:6443 (1.0 s)\n',
  );
});

it('keeps what runs below what has ended on a terminal, and writes over it', async () => {
  const { screen, pieces, clock } = paper({ isTerminal: true, width: 30 });
  using list = new Checklist(screen, () => clock.ms);
  const first = Promise.withResolvers<void>();
  const second = Promise.withResolvers<void>();

  const steps = [list.step('one', () => first.promise), list.step('two', () => second.promise)];
  list.print('note');
  first.resolve();
  await steps[0];
  second.resolve();
  await steps[1];

  expect(pieces.map((piece) => piece.replaceAll(`${ESCAPE}[0J`, '<clear>').replaceAll(UP, '<up $1>'))).toEqual([
    expect.stringMatching(/^. one {16}0\.0 s\n$/),
    expect.stringMatching(/^<up 1><clear>. one .*\n. two .*\n$/),
    expect.stringMatching(/^<up 2><clear>note\n. one .*\n. two .*\n$/),
    expect.stringMatching(/^<up 2><clear>✔ one .*\n. two .*\n$/),
    expect.stringMatching(/^<up 1><clear>✔ two .*\n$/),
  ]);
});

it('cuts a line that would not fit, marks a step that fails, and passes the error on', async () => {
  const { screen, text, clock } = paper({ isTerminal: true, width: 24 });
  using list = new Checklist(screen, () => clock.ms);
  const failure = new Error('no');

  const step = list.step('console', async (tell) => {
    tell('a long story about a port');
    return await Promise.reject(failure);
  });

  await expect(step).rejects.toBe(failure);
  expect(text().split('\n').at(-2)).toMatch(/✘ console {12}a …$/);
});

function paper({ isTerminal, width = 80 }: { readonly isTerminal: boolean; readonly width?: number }) {
  const pieces: string[] = [];
  const clock = { ms: 0 };
  // Colours are those of the terminal that the tests run in.
  const write = (text: string): void => void pieces.push(text.replaceAll(COLOUR, ''));
  const screen = { write, isTerminal, width: () => width };
  return { screen, pieces, clock, text: () => stripVTControlCharacters(pieces.join('')) };
}
