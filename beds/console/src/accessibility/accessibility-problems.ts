import type { CDPSession, Page } from 'playwright-core';

import { judgeAccessibility, type SpokenNode } from './judge-accessibility.ts';
import { judgeContrast, type DrawnText } from './judge-contrast.ts';

type AccessibilityNode = Awaited<ReturnType<typeof readTree>>[number];

/** What is wrong with a page for those who hear it, or see little: one line each. Asks the browser what it would tell them. */
export async function accessibilityProblems(page: Page): Promise<readonly string[]> {
  const session = await page.context().newCDPSession(page);
  try {
    const nodes = (await readTree(session)).filter(({ ignored }) => !ignored).map(spokenNode);
    return [...judgeAccessibility(nodes), ...judgeContrast(await readTexts(session))];
  } finally {
    await session.detach();
  }
}

async function readTree(session: CDPSession) {
  return (await session.send('Accessibility.getFullAXTree')).nodes;
}

function spokenNode({ nodeId, parentId, role, name, properties = [] }: AccessibilityNode): SpokenNode {
  const property = (wanted: string): unknown => properties.find((each) => each.name === wanted)?.value.value;
  const level = property('level');
  return {
    id: nodeId,
    parentId,
    role: String(role?.value ?? ''),
    name: String(name?.value ?? ''),
    level: typeof level === 'number' ? level : undefined,
  };
}

const STYLES = ['color', 'font-size', 'font-weight', 'visibility', 'opacity'];
/** Their text need not be read: it cannot be used now, is drawn by somebody else, or is the letter of a shape. */
const EXEMPT = /^(?:disabled|aria-disabled|data-disabled)$/;
const DRAWN_BY_GUEST = /\bxterm\b/;

async function captureSnapshot(session: CDPSession) {
  const options = { computedStyles: STYLES, includeBlendedBackgroundColors: true };
  return await session.send('DOMSnapshot.captureSnapshot', options);
}

async function readTexts(session: CDPSession): Promise<readonly DrawnText[]> {
  const { documents, strings } = await captureSnapshot(session);
  const text = (index: number | undefined): string => (index === undefined || index < 0 ? '' : (strings[index] ?? ''));
  return documents.flatMap((document) => textsOf(document, text));
}

type Snapshot = Awaited<ReturnType<typeof captureSnapshot>>['documents'][number];

function textsOf({ nodes, layout }: Snapshot, text: (index: number | undefined) => string): readonly DrawnText[] {
  const { parentIndex = [], attributes = [], nodeName = [] } = nodes;
  const placeOf = new Map(layout.nodeIndex.map((node, place) => [node, place]));
  const around = (node: number): readonly number[] => ancestors(parentIndex, node);
  const isExempt = (node: number): boolean => {
    const given = (attributes[node] ?? []).map(text);
    const isShape = text(nodeName[node]).toLowerCase() === 'svg';
    return isShape || given.some((word, place) => isExempting(word, given[place + 1] ?? '', place));
  };
  // Text has no background of its own: it is drawn on that of the nearest box.
  const backgroundOf = (node: number): string =>
    around(node)
      .map((each) => text(layout.blendedBackgroundColors?.[placeOf.get(each) ?? -1]))
      .find((color) => color !== '') ?? '';
  return layout.nodeIndex.flatMap((node, place): readonly DrawnText[] => {
    const words = text(layout.text[place]).trim();
    const [color = '', size = '', weight = '', visibility = '', opacity = ''] = (layout.styles[place] ?? []).map(text);
    if (words === '' || visibility !== 'visible' || opacity === '0' || around(node).some(isExempt)) return [];
    const background = backgroundOf(node);
    // Where the browser cannot say on what it draws, nobody can judge.
    if (background === '') return [];
    return [{ text: words, color, background, fontPixels: Number.parseFloat(size), fontWeight: Number(weight) }];
  });
}

/** A node and all around it, from the inside out. */
function ancestors(parentIndex: readonly number[], node: number): readonly number[] {
  const found: number[] = [];
  for (let each = node; each >= 0; each = parentIndex[each] ?? -1) found.push(each);
  return found;
}

/** Names and values of attributes take turns. */
function isExempting(name: string, value: string, place: number): boolean {
  if (place % 2 !== 0) return false;
  return (EXEMPT.test(name) && value !== 'false') || (name === 'class' && DRAWN_BY_GUEST.test(value));
}
