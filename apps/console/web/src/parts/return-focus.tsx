import { useEffect, useState } from 'react';

/** Stands in a dialog: when that has gone, the focus is where it was before, and not nowhere. */
export function ReturnFocus(): undefined {
  const [before] = useState(() => document.activeElement);
  useEffect(
    () => () => {
      if (before instanceof HTMLElement) before.focus();
    },
    [before],
  );
  return undefined;
}
