import { useCallback, useState } from 'react';

import { ApiError, messageOf } from '../../api/api-error.ts';
import { useServices } from '../../services.ts';

export interface Act {
  /** True while something that was started here is under way. */
  readonly isActing: boolean;
  /** Does it and tells how it went. Resolves whether it went well; never rejects. */
  readonly act: (words: ActWords, run: () => Promise<unknown>) => Promise<boolean>;
}

export interface ActWords {
  /** Such as `Started web-1`. */
  readonly done: string;
  /** Such as `web-1 was not started`. */
  readonly failed: string;
}

/** For everything a person starts with a button. */
export function useAct(): Act {
  const { notices } = useServices();
  const [acting, setActing] = useState(0);
  const act = useCallback(
    async (words: ActWords, run: () => Promise<unknown>) => {
      setActing((count) => count + 1);
      try {
        await run();
        notices.tell({ tone: 'done', title: words.done, lines: [] });
        return true;
      } catch (error) {
        notices.tell({ tone: 'failed', title: words.failed, lines: failureLines(error) });
        return false;
      } finally {
        setActing((count) => count - 1);
      }
    },
    [notices],
  );
  return { isActing: acting > 0, act };
}

/** What to show of an error: each cause with its field, or the message. */
export function failureLines(error: unknown): readonly string[] {
  if (!(error instanceof ApiError) || error.causes.length === 0) return [messageOf(error)];
  return [
    ...new Set(error.causes.map(({ field, message = '' }) => (field === undefined ? message : `${field}: ${message}`))),
  ];
}
