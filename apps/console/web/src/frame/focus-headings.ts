import type { AnyRouter } from '@tanstack/react-router';

/** After going to another page its heading has the focus, so that it is read out and the next Tab starts there. */
export function focusHeadings(router: Pick<AnyRouter, 'subscribe'>): void {
  router.subscribe('onRendered', ({ fromLocation, pathChanged }) => {
    if (fromLocation === undefined || !pathChanged) return;
    document.querySelector<HTMLElement>('#content h1')?.focus({ preventScroll: true });
  });
}
