import { expect, it } from 'vitest';

import { logText, parseLogLines } from './log-lines.ts';

it('reads the lines of a message, and none of anything else', () => {
  expect(parseLogLines({ lines: [{ source: 'qemu', text: 'hello', at: 'now' }, 7, {}] })).toEqual([
    { source: 'qemu', text: 'hello', at: 'now' },
    { source: '', text: '' },
  ]);
  expect(parseLogLines({ line: 'hello' })).toEqual([]);
});

it.each([
  { text: 'plain words', shown: 'plain words' },
  { text: '{ not json', shown: '{ not json' },
  { text: '{"a":1}', shown: '{"a":1}' },
  {
    text: '{"level":"info","time":"12:00","name":"launcher","uid":"7","n":2,"msg":"the guest is here"}',
    shown: '12:00 INFO the guest is here uid=7 n=2',
  },
])('shows $text as $shown', ({ text, shown }) => {
  expect(logText(text)).toBe(shown);
});
