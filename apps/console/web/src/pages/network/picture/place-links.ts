import { SIZES, type Box } from './flow-boxes.ts';
import type { BundleBox, CardBox } from './layout-boxes.ts';

/** A patch between two bridges, as a line in the gutter. */
export interface PatchLink {
  readonly id: string;
  readonly path: string;
}

interface Ends {
  readonly id: string;
  readonly top: Box;
  readonly bottom: Box;
}

const LANE = 10;

/** Draws one line for each pair of cards that patches join, each in the first lane where it meets no other. */
export function placeLinks(
  cards: readonly CardBox[],
  bundles: readonly BundleBox[],
  boxRight: number,
): readonly PatchLink[] {
  const shown = new Map<string, Box>();
  for (const box of bundles) {
    for (const { id, leadsTo } of box.group.cards) if (leadsTo?.bridge === box.bridge) shown.set(id, box);
  }
  for (const box of cards) shown.set(box.card.id, box);
  const ends = [...cards.map(({ card }) => card), ...bundles.flatMap(({ group }) => group.cards)].flatMap((card) =>
    endsOf(shown.get(card.id), shown.get(card.leadsTo?.id ?? '')),
  );
  const once = [...new Map(ends.map((each) => [each.id, each])).values()];
  const mostLanes = Math.floor((SIZES.gutter - LANE) / LANE);
  const lanes: number[] = [];
  return once
    .toSorted((a, b) => a.top.y - b.top.y)
    .map(({ id, top, bottom }) => {
      const [from, to] = [middle(top), middle(bottom)];
      const free = lanes.findIndex((end) => end < from);
      const lane = free < 0 ? lanes.length : free;
      lanes[lane] = to;
      const x = boxRight + LANE * (1 + (lane % mostLanes));
      return { id, path: `M${top.x + top.width} ${from}H${x}V${to}H${bottom.x + bottom.width}` };
    });
}

function endsOf(one: Box | undefined, other: Box | undefined): readonly Ends[] {
  if (one === undefined || other === undefined || one === other) return [];
  const [top, bottom] = one.y <= other.y ? [one, other] : [other, one];
  return [{ id: `${top.y}-${bottom.y}`, top, bottom }];
}

function middle({ y, height }: Box): number {
  return y + height / 2;
}
