/** A key, or two pressed one after the other, and what they do. */
export interface Shortcut {
  readonly keys: readonly [string] | readonly [string, string];
  readonly words: string;
  /** The page it leads to, where it leads to one. */
  readonly href?: string;
}

/** Shortcuts that work on every page. */
export const SHORTCUTS: readonly Shortcut[] = [
  { keys: ['/'], words: 'Search over everything (also Ctrl-K)' },
  { keys: ['?'], words: 'This page', href: '/keys' },
  { keys: ['g', 'f'], words: 'Go to the fleet', href: '/fleet' },
  { keys: ['g', 'v'], words: 'Go to virtual machines', href: '/virtual-machines' },
  { keys: ['g', 'n'], words: 'Go to the network', href: '/network' },
  { keys: ['g', 'h'], words: 'Go to high availability', href: '/high-availability' },
  { keys: ['g', 'e'], words: 'Go to events', href: '/events' },
  { keys: ['g', 'a'], words: 'Go to the audit', href: '/audit' },
  { keys: ['c', 'v'], words: 'Create a virtual machine', href: '/virtual-machines/new' },
];

/** What works where a table has the focus. */
export const TABLE_KEYS: readonly (readonly [string, string])[] = [
  ['↑ ↓', 'One row up, one row down'],
  ['Page up, Page down', 'Ten rows'],
  ['Home, End', 'The first row, the last row'],
  ['Enter', 'Open'],
  ['Space', 'Select, or select no more'],
];

/** Where the key leads, after the key before it; undefined when it leads nowhere. */
export function shortcutHref(before: string | undefined, key: string): string | undefined {
  return SHORTCUTS.find(({ keys: [first, second] }) =>
    second === undefined ? first === key : first === before && second === key,
  )?.href;
}
