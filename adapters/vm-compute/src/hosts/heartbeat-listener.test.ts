import type { Node } from '@smalt/placement';
import { WellKnownName } from '@smalt/vm-api';
import { expect, it } from 'vitest';

import { HeartbeatListener } from './heartbeat-listener.ts';
import { readHost } from './read-host.ts';

const SECOND = 1_000;
const TIMEOUT_MS = 150 * SECOND;

it('hears of a node that it sees for the first time, and says that this shows no life, until another heartbeat does', () => {
  const watch = watching();

  const first = [0, 60, 150].map((second) => watch(second, 'b1'));
  const late = [151, 200].map((second) => watch(second, 'b1'));
  const back = [210, 360, 361].map((second) => watch(second, 'b2'));

  expect(first).toEqual(first.map(() => ['up', 'unwatched']));
  expect(late).toEqual([['down'], ['down']]);
  expect(back).toEqual([['up'], ['up'], ['down']]);
});

it('hears of a node at which somebody looks as seldom as it may fall silent', () => {
  const watch = watching();
  watch(0, 'b1');

  expect([watch(165, 'b2'), watch(330, 'b4')]).toEqual([['up'], ['up']]);
});

it('does not know when a heartbeat changed that nobody has looked at for much longer than one is good for', () => {
  const watch = watching();
  watch(0, 'b1');
  const lived = watch(60, 'b2');

  // Another replica led, and saw it die.
  const again = [watch(361, 'b3'), watch(365, 'b3')];

  expect([lived, ...again]).toEqual([['up'], ['up', 'unwatched'], ['up', 'unwatched']]);
  expect([watch(425, 'b4'), watch(440, 'b4')]).toEqual([['up'], ['up']]);
});

it('knows of a node that nobody has looked at for long, and that shows the same heartbeat still, that it is silent', () => {
  const watch = watching();
  watch(0, 'b1');
  watch(60, 'b2');

  expect([watch(1_000, 'b2'), watch(1_001, 'b3')]).toEqual([['down'], ['up']]);
});

it('begins anew with a node that showed no heartbeat in between', () => {
  const watch = watching();
  watch(0, 'b1');

  expect([watch(10, undefined), watch(20, 'b2')]).toEqual([['down'], ['up', 'unwatched']]);
});

it('listens to a node that is declared dead, so that its next heartbeat is a sign of life at once', () => {
  const watch = watching();
  const declared = { [WellKnownName.fencedAtAnnotation]: '2020-01-01T00:00:01.500Z' };

  expect([watch(0, 'b1', declared), watch(600, 'b1', declared), watch(660, 'b2', declared)]).toEqual([
    ['down'],
    ['down'],
    ['up'],
  ]);
});

/** What is said of a node at some second that shows this heartbeat. */
function watching() {
  let now = 0;
  const listener = new HeartbeatListener(TIMEOUT_MS, () => now);
  return (second: number, heartbeat: string | undefined, notes: Notes = {}): readonly string[] => {
    now = second * SECOND;
    const node = nodeWith(heartbeat, notes);
    const { isUp, isUnwatched = false } = readHost(node, listener.isHeard, listener.isUnwatched);
    return [isUp ? 'up' : 'down', ...(isUnwatched ? ['unwatched'] : [])];
  };
}

type Notes = Readonly<Record<string, string>>;

function nodeWith(heartbeat: string | undefined, notes: Notes): Node {
  // The times in it are of another clock, of which nothing is known.
  const time = heartbeat && `2020-01-01T00:00:0${heartbeat.slice(1)}.000Z`;
  const annotations = { ...notes, ...(time !== undefined && { [WellKnownName.heartbeatAnnotation]: time }) };
  return { apiVersion: 'v1', kind: 'Node', metadata: { name: 'n1', annotations } };
}
