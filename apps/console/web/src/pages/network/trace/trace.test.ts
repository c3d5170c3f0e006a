import { expect, it } from 'vitest';

import { readTrace } from './read-trace.ts';
import { EMPTY_TRACE, placeProblems, traceBody } from './trace-form.ts';
import { verdictWords } from './verdict-words.ts';

it.each([
  [{}, { bridge: 'br-int', packet: { inPort: 'tap1' } }],
  [{ vlan: ' 7 ' }, { bridge: 'br-int', packet: { inPort: 'tap1', vlan: 7 } }],
  [{ vlan: 'x' }, { bridge: 'br-int', packet: { inPort: 'tap1', vlan: 'x' } }],
  [
    { protocol: 'tcp', ipSource: '10.0.0.1', destinationPort: '443' },
    { bridge: 'br-int', packet: { inPort: 'tap1', protocol: 'tcp', ipSource: '10.0.0.1', destinationPort: 443 } },
  ],
  // What another protocol was given stays in the form, and is not sent.
  [
    { protocol: 'icmp', destinationPort: '443', ipSource: '10.0.0.1' },
    { bridge: 'br-int', packet: { inPort: 'tap1', protocol: 'icmp', ipSource: '10.0.0.1' } },
  ],
])('a form with %j asks for %j', (changes, body) => {
  expect(traceBody({ ...EMPTY_TRACE, bridge: 'br-int', inPort: 'tap1', ...changes })).toEqual(body);
});

it('puts what is wrong beside the field that it is about', () => {
  const placed = placeProblems([
    { field: 'packet.vlan', message: 'must be a number' },
    { field: 'bridge', message: 'is not there' },
    { field: 'packet.ttl', message: 'is too large' },
    { message: 'is odd' },
  ]);

  expect(placed).toEqual({
    fields: { vlan: 'must be a number', bridge: 'is not there' },
    others: ['ttl: is too large', 'is odd'],
  });
});

it('is read as steps in words', () => {
  const steps = [
    {
      kind: 'table',
      table: 0,
      match: '',
      priority: 0,
      steps: [{ kind: 'action', text: 'resubmit(,9)', steps: [{ kind: 'table', table: 9, steps: [] }] }],
    },
    { kind: 'bridge', bridge: 'br-ex', steps: [] },
  ];

  const trace = readTrace({ verdict: { kind: 'drop' }, passes: [{ flow: '', steps }], text: 'all of it' });

  expect(trace?.passes[0]?.steps).toMatchObject([
    {
      words: 'Table 0: any packet, priority 0',
      steps: [{ words: 'resubmit(,9)', steps: [{ words: 'Table 9: no flow matches' }] }],
    },
    { words: 'Bridge br-ex' },
  ]);
  expect(trace?.text).toBe('all of it');
});

it.each([[undefined], [{}], [{ verdict: { kind: 'else' } }]])('takes %j for no trace', (answer) => {
  expect(readTrace(answer)).toBeUndefined();
});

it.each([
  [{ kind: 'output', ports: ['2'] }, 'The packet leaves by port 2 of the datapath.'],
  [{ kind: 'output', ports: ['2', '3'] }, 'The packet leaves by ports 2, 3 of the datapath.'],
  [{ kind: 'controller' }, 'The packet goes to the controller.'],
  [{ kind: 'drop', why: undefined }, 'The packet is dropped.'],
  [{ kind: 'drop', why: 'no flow' }, 'The packet is dropped: no flow.'],
] as const)('says of %j: %s', (verdict, words) => {
  expect(verdictWords(verdict).words).toBe(words);
});
