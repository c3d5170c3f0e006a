import { createLogger } from '@smalt/service-runtime';
import { expect, it } from 'vitest';

import type { PowerReport } from './power.ts';
import { SilentSwitches } from './silent-switches.ts';

it('says once why a switch cannot be asked, for each way to a host, and once that it can be again', () => {
  const lines: Readonly<Record<string, unknown>>[] = [];
  const logger = createLogger({ name: 'test', destination: { write: (line) => lines.push(Object(JSON.parse(line))) } });
  const switches = new SilentSwitches(logger);

  switches.take('h1', [report('bmc', true), report('pdu', false, 'no route')]);
  switches.take('h1', [report('bmc', false, 'wrong password'), report('pdu', false, 'no route at all')]);
  switches.take('h1', [report('bmc', true), report('pdu', true)]);
  switches.take('h1', [report('bmc', true)]);

  expect(lines.map(({ level, host, method, reason }) => [level, host, method, reason])).toEqual([
    ['warn', 'h1', 'pdu', 'no route'],
    ['warn', 'h1', 'bmc', 'wrong password'],
    ['info', 'h1', 'bmc', undefined],
    ['info', 'h1', 'pdu', undefined],
  ]);
});

function report(method: string, isReachable: boolean, message?: string): PowerReport {
  return { host: 'h1', method, power: isReachable ? 'on' : 'unknown', isReachable, message, tookMs: 1 };
}
