import type { ReactElement } from 'react';

const PATHS = {
  fleet: 'M3 4h14v5H3zM3 11h14v5H3zM6 6.5h.01M6 13.5h.01',
  machines: 'M3 4h14v9H3zM7 16h6M10 13v3',
  network: 'M8 3h4v4H8zM2 13h4v4H2zM14 13h4v4h-4zM10 7v3M4 13v-3h12v3',
  availability: 'M10 17C5 13.5 3 11 3 8a3.5 3.5 0 0 1 7-1 3.5 3.5 0 0 1 7 1c0 3-2 5.5-7 9zM5.5 10H8l1-2 2 4 1-2h2.5',
  events: 'M4 4h12M4 8h12M4 12h8M4 16h5',
  audit: 'M5 2h10v16H5zM8 6h4M8 9h4M8 13l1.5 1.5L12.5 12',
  search: 'M9 3a6 6 0 1 1 0 12A6 6 0 0 1 9 3zM13.5 13.5L17 17',
  light:
    'M10 6.5a3.5 3.5 0 1 1 0 7 3.5 3.5 0 0 1 0-7zM10 2v2M10 16v2M2 10h2M16 10h2M4.3 4.3l1.4 1.4M14.3 14.3l1.4 1.4M4.3 15.7l1.4-1.4M14.3 5.7l1.4-1.4',
  dark: 'M16 11.5A6.5 6.5 0 1 1 8.5 4 5 5 0 0 0 16 11.5z',
  system: 'M3 4h14v9H3zM7 16h6M10 13v3M10 4v9',
  person: 'M10 3a3.5 3.5 0 1 1 0 7 3.5 3.5 0 0 1 0-7zM3.5 17c.5-3.5 3-5 6.5-5s6 1.5 6.5 5',
  more: 'M5 10h.01M10 10h.01M15 10h.01',
} as const;

export type IconName = keyof typeof PATHS;

/** A line drawing. It says nothing to a screen reader: words stand beside it, or in a label of what holds it. */
export function Icon({ name, size = 18 }: { readonly name: IconName; readonly size?: number }): ReactElement {
  return (
    <svg
      width={size}
      height={size}
      viewBox="0 0 20 20"
      fill="none"
      stroke="currentColor"
      strokeWidth={1.5}
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
      focusable="false"
    >
      <path d={PATHS[name]} />
    </svg>
  );
}
