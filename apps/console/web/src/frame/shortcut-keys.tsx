import { useRouter } from '@tanstack/react-router';
import { useEffect } from 'react';

import { shortcutHref } from './shortcuts.ts';

/** Listens for the keys that lead to pages, unless something is being typed or a dialog is open. */
export function ShortcutKeys(): undefined {
  const { history } = useRouter();
  useEffect(() => {
    let before: string | undefined;
    const onKeyDown = (event: KeyboardEvent): void => {
      if (event.ctrlKey || event.metaKey || event.altKey || isForSomebodyElse(event.target)) return;
      const href = shortcutHref(before, event.key);
      before = event.key;
      if (href === undefined) return;
      event.preventDefault();
      history.push(href);
    };
    document.addEventListener('keydown', onKeyDown);
    return () => document.removeEventListener('keydown', onKeyDown);
  }, [history]);
  return undefined;
}

function isForSomebodyElse(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  return (
    target.isContentEditable || target.closest('input, textarea, select, [role="dialog"], [data-own-keys]') !== null
  );
}
