import { expect, it } from 'vitest';

import type { CommandLevel } from './power-settings.ts';
import { targetOf } from './target-of.ts';

it('tells outlets apart that one program switches, and shows nothing of what it is told', () => {
  const targets = [
    command({ command: ['/opt/pdu', 'outlet-1'] }),
    command({ command: ['/opt/pdu', 'outlet-2'] }),
    command({ environment: { PDU: 'hush' } }),
  ].map((level) => targetOf(level, 'command /opt/pdu'));

  expect(new Set(targets).size).toBe(3);
  for (const target of targets) expect(target).toMatch(/^command \/opt\/pdu with [0-9a-f]{12}$/);
  expect(targetOf(command({ command: ['/opt/pdu', 'outlet-1'] }), 'command /opt/pdu')).toBe(targets[0]);
});

function command(more: Partial<CommandLevel>): CommandLevel {
  return { driver: 'command', name: 'pdu', command: ['/opt/pdu'], ...more };
}
