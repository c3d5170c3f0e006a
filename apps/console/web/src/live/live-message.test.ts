import { expect, it } from 'vitest';

import { parseLiveMessages } from './live-message.ts';

it('reads the messages of a frame in their order', () => {
  const frame = [
    { kind: 'changes', id: 1, isReset: true, put: [{ metadata: { name: 'a' } }], gone: ['b'], isComplete: true },
    { kind: 'refused', id: 2, status: 404, message: 'not here' },
    { kind: 'broken', id: 3, message: 'soon' },
    { kind: 'signedOut' },
  ];

  expect(parseLiveMessages(JSON.stringify(frame))).toEqual(frame);
});

it('takes a message that stands alone', () => {
  expect(parseLiveMessages('{"kind":"signedOut"}')).toEqual([{ kind: 'signedOut' }]);
});

it.each([
  { what: 'a message of a kind it does not know', text: '[{"kind":"news","id":1}]', messages: [] },
  { what: 'a message without an id', text: '[{"kind":"broken","message":"x"}]', messages: [] },
  { what: 'what is no message', text: '[null, 1, "x", []]', messages: [] },
  {
    what: 'objects without a name and keys that are none',
    text: '[{"kind":"changes","id":1,"put":[{"metadata":{}}, null],"gone":[1]}]',
    messages: [{ kind: 'changes', id: 1, isReset: false, isComplete: false, put: [], gone: [] }],
  },
])('leaves out $what', ({ text, messages }) => {
  expect(parseLiveMessages(text)).toEqual(messages);
});
