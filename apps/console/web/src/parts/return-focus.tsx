import { useEffect, useState } from 'react';

/** Stands in a dialog: when that has gone, the focus is where it was before, and not nowhere. */
export function ReturnFocus(): undefined {
  const [before] = useState(() => keptOf(document.activeElement));
  useEffect(
    () => () => {
      if (before instanceof HTMLElement) before.focus();
    },
    [before],
  );
  return undefined;
}

/** A menu goes as soon as something was chosen from it; what opened it stays. */
function keptOf(element: Element | null): Element | null {
  const opener = element?.closest('[role="menu"]')?.getAttribute('aria-labelledby');
  return typeof opener === 'string' ? document.getElementById(opener) : element;
}
