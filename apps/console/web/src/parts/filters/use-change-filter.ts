import { useNavigate } from '@tanstack/react-router';

import { withFilter } from './filters.ts';

/** Changes one word by which the list of this page is narrowed. It lives in the address, so that a view can be sent to somebody. */
export type ChangeFilter = (word: string, value: string | undefined) => void;

export function useChangeFilter(): ChangeFilter {
  const navigate = useNavigate();
  return (word, value) =>
    void navigate({ to: '.', search: (before) => withFilter(before, word, value), replace: true });
}
