import { virtualMachineKind } from '@smalt/vm-api';
import { useEffect, useState } from 'react';

import { ApiError, messageOf } from '../../../api/api-error.ts';
import { useServices } from '../../../services.ts';

/** What the server would say to an object. */
export type Verdict =
  | { readonly kind: 'unasked' }
  | { readonly kind: 'asking' }
  | { readonly kind: 'taken' }
  | { readonly kind: 'refused'; readonly error: ApiError };

const QUIET_MS = 500;

/** Has the server check an object without keeping it, a moment after the last change. Undefined is not checked. */
export function useDryRun(object: Readonly<Record<string, unknown>> | undefined, namespace: string): Verdict {
  const { api } = useServices();
  const [last, setLast] = useState<{ readonly text: string; readonly verdict: Verdict }>();
  const text = object === undefined ? undefined : JSON.stringify(object);
  useEffect(() => {
    if (text === undefined) return undefined;
    const stop = new AbortController();
    const { signal } = stop;
    const tell = (verdict: Verdict): void => {
      if (!signal.aborted) setLast({ text, verdict });
    };
    const ask = async (): Promise<void> => {
      const body: object = JSON.parse(text);
      try {
        await api.create(virtualMachineKind, body, { namespace, isDryRun: true, signal });
        tell({ kind: 'taken' });
      } catch (error) {
        tell({ kind: 'refused', error: asApiError(error) });
      }
    };
    const timer = setTimeout(() => void ask(), QUIET_MS);
    return () => {
      clearTimeout(timer);
      stop.abort();
    };
  }, [api, text, namespace]);
  if (text === undefined) return { kind: 'unasked' };
  return last?.text === text ? last.verdict : { kind: 'asking' };
}

export function asApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  return new ApiError({ code: 'failed', status: 0, message: messageOf(error), cause: error });
}
