import { assert, property, string } from 'fast-check';
import { expect, it } from 'vitest';

import { readCommandState } from './command/read-command-answer.ts';
import { readIpmiState } from './ipmi/read-ipmi-answer.ts';
import { readPowerState } from './redfish/read-power-state.ts';

const run = { what: 'test', secrets: [] };
const badAnswer = expect.objectContaining({ code: 'bad-answer' });
const words = ['on', 'off', 'powering-on', 'powering-off', 'paused', 'unknown'];

it('gives a state for no text but the exact ones', () => {
  assert(
    property(string({ unit: 'binary' }), (text) => {
      const end = { exitCode: 0, stdout: text, stderr: '' };
      if (words.includes(text.trim())) return;

      expect(() => readIpmiState(end, run)).toThrow(badAnswer);
      expect(() => readCommandState(end, run)).toThrow(badAnswer);
      expect(() => readPowerState({ PowerState: text }, '/redfish/v1/Systems/1')).toThrow(badAnswer);
    }),
  );
});
