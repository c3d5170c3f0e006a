import { describe, expect, it } from 'vitest';

import { judgeAccessibility, type SpokenNode } from './judge-accessibility.ts';
import { contrastOf, judgeContrast } from './judge-contrast.ts';

const PAGE = [node('main', 'x'), { ...node('heading', 'Fleet', 'main'), level: 1 }];

describe('judgeAccessibility', () => {
  it('finds nothing on a page that is as it should be', () => {
    const list = [node('list', '', 'main'), node('listitem', '', 'list'), node('link', 'demo', 'listitem')];

    expect(judgeAccessibility([...PAGE, ...list])).toEqual([]);
  });

  it.each([
    ['a button without a name', [node('button', ' ', 'main')], 'a button has no name'],
    ['a picture without words', [node('image', '', 'main')], 'a image has no name'],
    ['a row in no table', [node('row', 'r', 'main')], 'has to be in a grid or table'],
    ['a tab in no list', [node('tab', 't', 'main')], 'has to be in a tablist'],
    ['a button in a link', [node('link', 'l', 'main'), node('button', 'b', 'link')], 'inside of the link "l"'],
    ['a second title', [{ ...node('heading', 'More', 'main'), id: 'h2', level: 1 }], 'there are 2 headings'],
    ['a level that is skipped', [{ ...node('heading', 'Deep', 'main'), id: 'h2', level: 3 }], 'skips a level'],
    ['a second main part', [{ ...node('main', 'y'), id: 'main2' }], 'there are 2 main parts'],
  ])('finds %s', (_, nodes, problem) => {
    expect(judgeAccessibility([...PAGE, ...nodes]).join('\n')).toContain(problem);
  });

  it('looks through boxes that mean nothing', () => {
    const nodes = [node('grid', 'g', 'main'), node('generic', '', 'grid'), node('row', 'r', 'generic')];

    expect(judgeAccessibility([...PAGE, ...nodes])).toEqual([]);
  });
});

describe('judgeContrast', () => {
  it.each([
    ['rgb(0, 0, 0)', '#ffffff', 21],
    ['rgb(255, 255, 255)', 'rgb(255, 255, 255)', 1],
    ['#767676', '#ffffff', 4.54],
    ['rgba(0, 0, 0, 0.5)', 'rgb(255, 255, 255)', 3.95],
    ['color(srgb 0 0 0)', '#ffffffff', 21],
  ])('of %s on %s is %d', (color, background, expected) => {
    expect(contrastOf(color, background)).toBeCloseTo(expected, 1);
  });

  it('asks for less where letters are large, and names what is too faint, once', () => {
    const faint = { text: 'Faint', color: '#949494', background: '#ffffff', fontPixels: 14, fontWeight: 400 };

    expect(judgeContrast([faint, faint, { ...faint, fontPixels: 24 }])).toEqual([
      '"Faint" is hard to read: #949494 on #ffffff has a contrast of 3.03',
    ]);
    expect(judgeContrast([{ ...faint, color: 'unheard-of' }])[0]).toContain('cannot be read');
  });
});

function node(role: string, name: string, parentId?: string): SpokenNode {
  return { id: role, parentId, role, name, level: undefined };
}
