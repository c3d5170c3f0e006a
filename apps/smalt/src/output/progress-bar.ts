const FULL = '█';
const EMPTY = '░';

/** A bar of so many characters, with `share` (0 to 1) of it full. */
export function progressBar(share: number, width: number): string {
  const bounded = Number.isFinite(share) ? Math.min(1, Math.max(0, share)) : 0;
  const full = Math.round(bounded * width);
  return FULL.repeat(full) + EMPTY.repeat(width - full);
}

/** `7 %`, `100 %`. */
export function percentText(share: number): string {
  return `${Math.round((Number.isFinite(share) ? Math.min(1, Math.max(0, share)) : 0) * 100)} %`;
}
