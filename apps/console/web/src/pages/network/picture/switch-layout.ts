import { isTroubled, type GatheredBridge, type PortCard, type PortGroup } from './gather-ports.ts';
import { flow, SIZES, type Box } from './flow-boxes.ts';
import type { BundleBox, CardBox } from './layout-boxes.ts';
import { placeLinks, type PatchLink } from './place-links.ts';

export interface LayoutOptions {
  /** What there is room for. */
  readonly width: number;
  /** The groups that somebody has opened or folded against the rule. */
  readonly turned: ReadonlySet<string>;
}

export interface BridgeBox extends Box {
  readonly name: string;
  readonly ports: number;
}

/** The line above the ports of a kind. */
export interface GroupLine extends Box {
  readonly group: PortGroup;
  /** Whether it has so many that it can be folded. */
  readonly canFold: boolean;
  readonly isOpen: boolean;
}

export interface SwitchLayout {
  readonly width: number;
  readonly height: number;
  readonly bridges: readonly BridgeBox[];
  readonly lines: readonly GroupLine[];
  readonly cards: readonly CardBox[];
  readonly bundles: readonly BundleBox[];
  readonly links: readonly PatchLink[];
}

/** A group with more ports than this is folded at first: what is in trouble is shown all the same. */
const OPEN_UP_TO = 12;
const MOST_TROUBLED = 12;

type Parts = Pick<SwitchLayout, 'lines' | 'cards' | 'bundles'>;

/** Places bridges below each other, their ports by kind within, and patches as lines on the right. */
export function layOutSwitch(bridges: readonly GatheredBridge[], options: LayoutOptions): SwitchLayout {
  const hasPatches = bridges.some(({ groups }) => groups.some(({ kind }) => kind === 'patch'));
  const boxWidth = Math.max(SIZES.leastCard + 2 * SIZES.padding, options.width - (hasPatches ? SIZES.gutter : 0));
  const boxes: BridgeBox[] = [];
  const parts: Parts[] = [];
  let y = 0;
  for (const { name, groups } of bridges) {
    const inner = { x: SIZES.padding, y: y + SIZES.title, width: boxWidth - 2 * SIZES.padding };
    const { bottom, ...placed } = placeGroups(groups, inner, options.turned);
    parts.push(placed);
    // The bridge's own end counts as little as it does for Open vSwitch.
    const ports = groups.flatMap(({ cards }) => cards.filter(({ port }) => port !== name)).length;
    boxes.push({ name, ports, x: 0, y, width: boxWidth, height: bottom + SIZES.padding - y });
    y = bottom + SIZES.padding + SIZES.between;
  }
  const cards = parts.flatMap((part) => part.cards);
  const bundles = parts.flatMap((part) => part.bundles);
  const links = placeLinks(cards, bundles, boxWidth);
  const width = boxWidth + (hasPatches ? SIZES.gutter : 0);
  const height = Math.max(0, y - SIZES.between);
  return { width, height, bridges: boxes, lines: parts.flatMap((part) => part.lines), cards, bundles, links };
}

interface Room {
  readonly x: number;
  readonly y: number;
  readonly width: number;
}

function placeGroups(
  groups: readonly PortGroup[],
  room: Room,
  turned: ReadonlySet<string>,
): Parts & { readonly bottom: number } {
  const placed: Parts[] = [];
  let { y } = room;
  for (const group of groups) {
    const canFold = group.cards.length > OPEN_UP_TO;
    const isOpen = !canFold || turned.has(group.id);
    const width = group.kind === 'patch' ? Math.min(room.width, SIZES.mostCard) : room.width;
    const x = room.x + room.width - width;
    const line: GroupLine = { group, canFold, isOpen, x, y, width, height: SIZES.line };
    const { bottom, ...rest } = placeCards(group, isOpen, { ...room, y: y + SIZES.line });
    placed.push({ lines: [line], ...rest });
    y = bottom + SIZES.gap;
  }
  return {
    lines: placed.flatMap(({ lines }) => lines),
    cards: placed.flatMap(({ cards }) => cards),
    bundles: placed.flatMap(({ bundles }) => bundles),
    bottom: y,
  };
}

type Placed = Pick<Parts, 'cards' | 'bundles'> & { readonly bottom: number };

function placeCards(group: PortGroup, isOpen: boolean, room: Room): Placed {
  const shown = isOpen ? group.cards : group.cards.filter(isTroubled).slice(0, MOST_TROUBLED);
  if (group.kind === 'bond') return placeBonds(shown, room);
  if (group.kind === 'patch') return placePatches(group, shown, isOpen, room);
  const { boxes, bottom } = flow(shown.length, room);
  return { cards: shown.flatMap((card, index) => inBox(boxes[index], { card, members: [] })), bundles: [], bottom };
}

function inBox<T>(box: Box | undefined, value: T): readonly (T & Box)[] {
  return box === undefined ? [] : [{ ...value, ...box }];
}

function placeBonds(bonds: readonly PortCard[], room: Room): Placed {
  const cards: CardBox[] = [];
  let { y } = room;
  for (const card of bonds) {
    const inner = { x: room.x + SIZES.gap, y: y + SIZES.card, width: room.width - 2 * SIZES.gap };
    const { boxes, bottom } = flow(card.members.length, inner);
    const members = card.members.flatMap((member, index) => inBox(boxes[index], { member }));
    cards.push({ card, members, x: room.x, y, width: room.width, height: bottom - y });
    y = bottom + SIZES.gap;
  }
  return { cards, bundles: [], bottom: y };
}

/** Patches stand on the right, one below the other, so that their lines cross nothing. */
function placePatches(group: PortGroup, shown: readonly PortCard[], isOpen: boolean, room: Room): Placed {
  const width = Math.min(room.width, SIZES.mostCard);
  const place = (index: number): Box => ({
    x: room.x + room.width - width,
    y: room.y + index * (SIZES.card + SIZES.gap),
    width,
    height: SIZES.card,
  });
  const cards = shown.map((card, index) => ({ card, members: [], ...place(index) }));
  const folded = isOpen ? [] : group.cards.filter(({ leadsTo }) => leadsTo !== undefined);
  const counts = Map.groupBy(folded, ({ leadsTo }) => leadsTo?.bridge ?? '');
  const bundles = [...counts].map(([bridge, { length: count }], index) => ({
    id: `${group.id}/${bridge}`,
    group,
    bridge,
    count,
    ...place(cards.length + index),
  }));
  return { cards, bundles, bottom: place(cards.length + bundles.length).y };
}
