/** A piece of text as it is drawn. Colours are those that the browser has worked out. */
export interface DrawnText {
  readonly text: string;
  readonly color: string;
  readonly background: string;
  readonly fontPixels: number;
  readonly fontWeight: number;
}

/** What WCAG 2.2 asks for at level AA. */
const ENOUGH = 4.5;
const ENOUGH_FOR_LARGE = 3;
const LARGE_PIXELS = 24;
const LARGE_BOLD_PIXELS = 18.66;
const BOLD = 700;

/** The texts that are hard to read, one line each. */
export function judgeContrast(texts: readonly DrawnText[]): readonly string[] {
  return [...new Set(texts.flatMap(judgeText))];
}

function judgeText({ text, color, background, fontPixels, fontWeight }: DrawnText): readonly string[] {
  const isLarge = fontPixels >= LARGE_PIXELS || (fontWeight >= BOLD && fontPixels >= LARGE_BOLD_PIXELS);
  const ratio = contrastOf(color, background);
  if (ratio === undefined) return [`"${text}": the colours ${color} on ${background} cannot be read`];
  if (ratio >= (isLarge ? ENOUGH_FOR_LARGE : ENOUGH)) return [];
  return [`"${text}" is hard to read: ${color} on ${background} has a contrast of ${ratio.toFixed(2)}`];
}

/** From 1, where they are alike, to 21. */
export function contrastOf(color: string, background: string): number | undefined {
  const [over, under] = [parseColor(color), parseColor(background)];
  if (over === undefined || under === undefined) return undefined;
  const shown = over.parts.map((part, index) => over.opacity * part + (1 - over.opacity) * (under.parts[index] ?? 0));
  const [light, dark] = [luminance(shown), luminance(under.parts)].toSorted((one, other) => other - one);
  return ((light ?? 0) + 0.05) / ((dark ?? 0) + 0.05);
}

interface Color {
  /** Red, green and blue from 0 to 1. */
  readonly parts: readonly number[];
  readonly opacity: number;
}

const HEX = /^#(?<rgb>[0-9a-f]{6})(?<alpha>[0-9a-f]{2})?$/i;
const FUNCTION = /^(?<name>rgba?|color)\((?:srgb )?(?<numbers>[^)]*)\)$/;

function parseColor(text: string): Color | undefined {
  const hex = HEX.exec(text)?.groups;
  if (hex !== undefined) {
    const parts = [0, 2, 4].map((at) => Number.parseInt(hex['rgb']?.slice(at, at + 2) ?? '', 16) / 255);
    return { parts, opacity: Number.parseInt(hex['alpha'] ?? 'ff', 16) / 255 };
  }
  const { name, numbers } = FUNCTION.exec(text)?.groups ?? {};
  const [red, green, blue, opacity = 1] = (numbers ?? '').split(/[\s,/]+/).map(Number);
  if (red === undefined || green === undefined || blue === undefined) return undefined;
  const most = name === 'color' ? 1 : 255;
  return { parts: [red / most, green / most, blue / most], opacity };
}

function luminance(parts: readonly number[]): number {
  const [red = 0, green = 0, blue = 0] = parts.map((part) =>
    part <= 0.040_45 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4,
  );
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
