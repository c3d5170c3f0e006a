/** An element as a screen reader gets it from the browser. */
export interface SpokenNode {
  readonly id: string;
  readonly parentId: string | undefined;
  readonly role: string;
  readonly name: string;
  /** Of a heading. */
  readonly level: number | undefined;
}

/** What can be used has to say what it does. */
const NAMED: ReadonlySet<string> = new Set([
  'alertdialog',
  'button',
  'checkbox',
  'combobox',
  'dialog',
  'grid',
  'image',
  'img',
  'link',
  'listbox',
  'menuitem',
  'navigation',
  'option',
  'progressbar',
  'radio',
  'searchbox',
  'slider',
  'spinbutton',
  'switch',
  'tab',
  'table',
  'tablist',
  'textbox',
  'toolbar',
]);

/** Where something may be, by its role. */
const PARENTS: ReadonlyMap<string, readonly string[]> = new Map([
  ['listitem', ['list']],
  ['row', ['grid', 'table', 'treegrid', 'rowgroup']],
  ['gridcell', ['row']],
  ['cell', ['row']],
  ['columnheader', ['row']],
  ['tab', ['tablist']],
  ['option', ['listbox', 'group', 'MenuListPopup']],
  ['menuitem', ['menu', 'menubar', 'group']],
]);

/** What holds others without a meaning of its own. */
const TRANSPARENT: ReadonlySet<string> = new Set(['generic', 'none', 'presentation', 'InlineTextBox', 'StaticText']);
/** A click on one of these means one thing. */
const ONE_DEED: ReadonlySet<string> = new Set(['button', 'link', 'menuitem', 'option', 'tab', 'checkbox', 'switch']);

/** What those who do not see the page would miss on it, one line each; none for a page that is as it should be. */
export function judgeAccessibility(nodes: readonly SpokenNode[]): readonly string[] {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  return [
    ...nodes.flatMap((node) => judgeNode(node, byId)),
    ...judgeHeadings(nodes.filter(({ role }) => role === 'heading')),
    ...judgeLandmarks(nodes),
  ];
}

function judgeNode(node: SpokenNode, byId: ReadonlyMap<string, SpokenNode>): readonly string[] {
  const { role, name } = node;
  const parent = parentOf(node, byId);
  const parents = PARENTS.get(role);
  const holder = ONE_DEED.has(role) ? enclosing(node, byId) : undefined;
  return [
    ...(NAMED.has(role) && name.trim() === '' ? [`a ${role} has no name (in ${whereIs(node, byId)})`] : []),
    ...(parents !== undefined && !parents.includes(parent?.role ?? '')
      ? [`a ${role} "${name}" is in a ${parent?.role ?? 'page'}, and has to be in a ${parents.join(' or ')}`]
      : []),
    ...(holder === undefined ? [] : [`a ${role} "${name}" is inside of the ${holder.role} "${holder.name}"`]),
  ];
}

function judgeHeadings(headings: readonly SpokenNode[]): readonly string[] {
  const tops = headings.filter(({ level }) => level === 1);
  const skips = headings.filter(({ level = 1 }, index) => level > (headings[index - 1]?.level ?? 0) + 1);
  return [
    ...(tops.length === 1 ? [] : [`there are ${tops.length} headings of the first level, and there has to be one`]),
    ...skips.map(({ name, level }) => `the heading "${name}" of level ${level} skips a level`),
  ];
}

function judgeLandmarks(nodes: readonly SpokenNode[]): readonly string[] {
  const mains = nodes.filter(({ role }) => role === 'main').length;
  return mains === 1 ? [] : [`there are ${mains} main parts, and there has to be one`];
}

/** The nearest one around it that means something. */
function parentOf(node: SpokenNode, byId: ReadonlyMap<string, SpokenNode>): SpokenNode | undefined {
  let parent = node.parentId === undefined ? undefined : byId.get(node.parentId);
  while (parent !== undefined && TRANSPARENT.has(parent.role)) {
    parent = parent.parentId === undefined ? undefined : byId.get(parent.parentId);
  }
  return parent;
}

function enclosing(node: SpokenNode, byId: ReadonlyMap<string, SpokenNode>): SpokenNode | undefined {
  for (let parent = parentOf(node, byId); parent !== undefined; parent = parentOf(parent, byId)) {
    if (ONE_DEED.has(parent.role)) return parent;
  }
  return undefined;
}

function whereIs(node: SpokenNode, byId: ReadonlyMap<string, SpokenNode>): string {
  const parent = parentOf(node, byId);
  if (parent === undefined) return 'the page';
  return parent.name === '' ? `${parent.role} of ${whereIs(parent, byId)}` : `the ${parent.role} "${parent.name}"`;
}
