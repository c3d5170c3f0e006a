import { describe, expect, it } from 'vitest';

import { printActions, printInstructions } from './print-action.ts';
import { readActions } from './read-actions.ts';
import { readInstructions } from './read-instructions.ts';

describe('an action that is not understood', () => {
  it.each([
    { why: 'a number that nobody has', hex: '00630008deadbeef' },
    { why: 'another vendor', hex: 'ffff001000abcdef0001000000000000' },
    { why: 'an action of Open vSwitch that is newer than this', hex: 'ffff00100000232000c8000000000000' },
    { why: 'a known action that is too short', hex: '0019000880000604' },
    { why: 'a property of controller(…) that is new', hex: 'ffff001800002320002500000000000000090008000000ff' },
  ])('is shown as its bytes: $why', ({ hex }) => {
    const actions = readActions(Buffer.from(`${hex}0012000800000000`, 'hex'));

    expect(printActions(actions)).toBe(`unknown_action(0x${hex}),pop_vlan`);
  });

  it('is refused if it says that it has no length, for what follows cannot be found', () => {
    expect(() => readActions(Buffer.from('0000000000000000', 'hex'))).toThrow('0 bytes');
  });

  it('does not use up the stack, however deep a hostile message nests', () => {
    const depth = 4000;
    const nested = Array.from({ length: depth }, (_, level) => clone((depth - level) * 16));

    const text = printActions(readActions(Buffer.concat(nested)));

    expect(text).toMatch(/^clone\(clone\(.*unknown_action/);
  });
});

describe('what Open vSwitch cannot be made to show here', () => {
  it.each([
    { text: 'resubmit(,6,ct)', hex: 'ffff001000002320002cfff806000000' },
    { text: 'debug_recirc', hex: 'ffff00100000232000ff000000000000' },
    { text: 'move:NXM_NX_REG0[0..7]->NXM_NX_REG1[8..15]', hex: '001c0018000800000008000000010004000102040000000000' },
    {
      text: 'nat(dst=1.1.1.1,persistent,hash)',
      hex: 'ffff00180000232000240000000e00010101010100000000',
    },
  ])('is read all the same: $text', ({ text, hex }) => {
    const bytes = Buffer.from(hex, 'hex');
    bytes.writeUInt16BE(bytes.length - (bytes.length % 8), 2);

    expect(printActions(readActions(bytes))).toBe(text);
  });
});

it('does instructions in their order, whatever the order they came in', () => {
  const bytes = Buffer.from('0001000805000000000500080000000000060008000000030063000800000000', 'hex');

  const text = printInstructions(readInstructions(bytes));

  expect(text).toBe('meter:3,clear_actions,goto_table:5,unknown_instruction(0x0063000800000000)');
});

function clone(length: number): Buffer {
  const bytes = Buffer.from('ffff000000002320002a000000000000', 'hex');
  bytes.writeUInt16BE(length, 2);
  return bytes;
}
