/** A rectangle of the picture. */
export interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** All measures, in pixels: the picture is never scaled, so text stays readable in every width. */
export const SIZES = {
  title: 38,
  line: 28,
  card: 40,
  leastCard: 128,
  mostCard: 240,
  gap: 6,
  padding: 12,
  between: 20,
  gutter: 56,
} as const;

/** Places so many cards in rows, as wide as fills the room. */
export function flow(
  count: number,
  { x, y, width }: Pick<Box, 'x' | 'y' | 'width'>,
): { readonly boxes: readonly Box[]; readonly bottom: number } {
  const { gap, card: height, leastCard, mostCard } = SIZES;
  const columns = Math.max(1, Math.floor((width + gap) / (leastCard + gap)));
  const cardWidth = Math.min(mostCard, Math.floor((width - gap * (columns - 1)) / columns));
  const boxes = Array.from({ length: count }, (_, index) => ({
    x: x + (index % columns) * (cardWidth + gap),
    y: y + Math.floor(index / columns) * (height + gap),
    width: cardWidth,
    height,
  }));
  return { boxes, bottom: y + Math.ceil(count / columns) * (height + gap) };
}
