import type { SwitchTopology, TopologyInterface, TopologyPort } from '@smalt/ovs-api';
import { describe, expect, it } from 'vitest';

import { fitText } from './fit-text.ts';
import type { Box } from './flow-boxes.ts';
import { gatherPorts, groupWords } from './gather-ports.ts';
import { nextCard } from './next-card.ts';
import { layOutSwitch, type SwitchLayout } from './switch-layout.ts';

const NOTHING_TURNED: ReadonlySet<string> = new Set();

describe('the ports of a bridge', () => {
  it('are gathered by kind, with what is wrong counted', () => {
    const [bridge] = gatherPorts(large(1, 40));

    expect(bridge?.groups.map((group) => groupWords(group))).toEqual([
      'Bonds: 1, 1 in trouble',
      'Guests: 40, 4 in trouble',
      'Of the host: 1',
    ]);
    expect(bridge?.groups[0]?.cards[0]).toMatchObject({
      detail: '1 of 2 members work · active-backup',
      members: [
        { name: 'eno1', tone: 'good', detail: 'active' },
        { name: 'eno2', tone: 'bad', detail: 'down' },
      ],
    });
  });
});

describe('the picture', () => {
  it.each([300, 700, 1200])('of 4 bridges and 200 ports has nothing on top of another, %i wide', (width) => {
    const folded = layOutSwitch(gatherPorts(large(4, 50)), { width, turned: NOTHING_TURNED });
    const groups = folded.lines.filter(({ canFold }) => canFold).map(({ group }) => group.id);
    const open = layOutSwitch(gatherPorts(large(4, 50)), { width, turned: new Set(groups) });

    for (const layout of [folded, open]) {
      expect(overlaps(layout)).toEqual([]);
      expect(outside(layout, width)).toEqual([]);
    }
    expect(open.cards.length).toBeGreaterThan(200);
    expect(folded.cards.length).toBeLessThan(60);
  });

  it('shows ports in trouble also where their kind is folded', () => {
    const { cards, lines } = layOutSwitch(gatherPorts(large(1, 50)), { width: 800, turned: NOTHING_TURNED });

    expect(lines.find(({ group }) => group.kind === 'guest')).toMatchObject({ canFold: true, isOpen: false });
    expect(cards.filter(({ card }) => card.kind === 'guest').map(({ card }) => card.detail)).toEqual(
      Array.from({ length: 5 }, () => 'down'),
    );
  });

  it('joins the two ends of each patch by one line', () => {
    const { links, cards } = layOutSwitch(gatherPorts(patched(3)), { width: 800, turned: NOTHING_TURNED });

    expect(cards.filter(({ card }) => card.kind === 'patch')).toHaveLength(6);
    expect(links).toHaveLength(3);
    expect(new Set(links.map(({ path }) => path)).size).toBe(3);
  });

  it('joins bundles where there are many patches, and single ones when one side is opened', () => {
    const bridges = gatherPorts(patched(20));

    const folded = layOutSwitch(bridges, { width: 800, turned: NOTHING_TURNED });
    const half = layOutSwitch(bridges, { width: 800, turned: new Set(['br-a/patch']) });

    expect(folded.bundles.map(({ id, count }) => [id, count])).toEqual([
      ['br-a/patch/br-b', 20],
      ['br-b/patch/br-a', 20],
    ]);
    expect(folded.links).toHaveLength(1);
    expect(half.bundles).toHaveLength(1);
    expect(half.links).toHaveLength(20);
  });

  it('of no bridges is empty', () => {
    expect(layOutSwitch([], { width: 800, turned: NOTHING_TURNED })).toMatchObject({ height: 0, bridges: [] });
  });
});

it.each([
  ['tap1', 100, 'tap1'],
  ['tap0123456789', 70, 'tap01…6789'],
  ['tap0123456789', 0, 't…9'],
])('%s fits into %i px as %s', (text, width, fitted) => {
  expect(fitText(text, width, 7)).toBe(fitted);
});

it.each([
  ['ArrowRight', 0, 1],
  ['ArrowLeft', 1, 0],
  ['ArrowDown', 1, 3],
  ['ArrowUp', 3, 1],
  ['ArrowDown', 4, undefined],
  ['End', 0, 4],
  ['Home', 3, 0],
  ['a', 0, undefined],
])('%s leads from card %i to %s', (key, from, to) => {
  const boxes = [box(0, 0), box(10, 0), box(0, 10), box(10, 10), box(0, 20)];
  const start = boxes[from];

  const next = start === undefined ? undefined : nextCard(boxes, start, key);

  expect(next).toBe(to === undefined ? undefined : boxes[to]);
});

function overlaps({ cards, lines, bundles }: SwitchLayout): readonly (readonly [Box, Box])[] {
  const boxes: readonly Box[] = [...cards, ...lines, ...bundles];
  return boxes.flatMap((a, index) => boxes.slice(index + 1).flatMap((b) => (areOver(a, b) ? [[a, b] as const] : [])));
}

function outside({ cards, lines, bridges }: SwitchLayout, width: number): readonly Box[] {
  const inner = [...cards, ...lines, ...cards.flatMap(({ members }) => members)];
  return inner.filter((each) => each.x + each.width > width || !bridges.some((bridge) => isWithin(each, bridge)));
}

function areOver(a: Box, b: Box): boolean {
  return a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;
}

function isWithin(a: Box, b: Box): boolean {
  return a.x >= b.x && a.y >= b.y && a.x + a.width <= b.x + b.width && a.y + a.height <= b.y + b.height;
}

function box(x: number, y: number): Box {
  return { x, y, width: 5, height: 5 };
}

/** Bridges with a bond of which a member is down, and guests of which every tenth is down. */
function large(bridges: number, guests: number): Pick<SwitchTopology, 'bridges'> {
  return {
    bridges: Array.from({ length: bridges }, (_, index) => ({
      name: `br-${index}`,
      ports: [
        port(`br-${index}`, { type: 'internal' }),
        bond(),
        ...Array.from({ length: guests }, (_each, each) =>
          port(`tap${each}`, { link: each % 10 === 0 ? 'Down' : 'Up' }),
        ),
      ],
    })),
  };
}

function patched(count: number): Pick<SwitchTopology, 'bridges'> {
  const ends = (own: string, other: string): TopologyPort[] =>
    Array.from({ length: count }, (_, index) => port(`${own}${index}`, { type: 'patch', peer: `${other}${index}` }));
  return {
    bridges: [
      { name: 'br-a', ports: ends('a', 'b') },
      { name: 'br-b', ports: ends('b', 'a') },
    ],
  };
}

function bond(): TopologyPort {
  return {
    name: 'bond0',
    bondMode: 'active-backup',
    interfaces: [
      { name: 'eno1', type: '', link: 'Up', isEnabled: true, isActive: true },
      { name: 'eno2', type: '', link: 'Down', isEnabled: false, isActive: false },
    ],
  };
}

function port(name: string, changes: Partial<TopologyInterface>): TopologyPort {
  return { name, interfaces: [{ name, type: '', link: 'Up', ...changes }] };
}
