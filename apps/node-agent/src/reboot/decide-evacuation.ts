import type { EvictionState } from './own-eviction.ts';

/** What is known of the Eviction right now. */
export type EvictionView =
  /** The API server did not answer; `silentMs` is for how long by now, `why` what it said last. */
  | { readonly kind: 'unknown'; readonly silentMs: number; readonly why: string }
  | { readonly kind: 'missing' }
  | { readonly kind: 'found'; readonly uid: string; readonly state: EvictionState };

export interface EvacuationView {
  /** How many guests run, or ran when libvirt last said; nothing if it never did. */
  readonly running: number | undefined;
  readonly eviction: EvictionView;
  /** The uid of the Eviction that this evacuation goes by, once there is one. */
  readonly followed: string | undefined;
  readonly elapsedMs: number;
  readonly limitMs: number;
  /** How long the API server may be silent. */
  readonly patienceMs: number;
}

/** How an evacuation ended. Only after the first two is the host empty. */
export type EvacuationOutcome =
  | { readonly kind: 'empty' }
  | { readonly kind: 'succeeded' }
  | { readonly kind: 'failed'; readonly why: string }
  | { readonly kind: 'out-of-time'; readonly why: string }
  | { readonly kind: 'api-away'; readonly why: string };

export type EvacuationStep =
  | { readonly kind: 'end'; readonly outcome: EvacuationOutcome }
  | { readonly kind: 'create' }
  /** An Eviction of former times is in the way. */
  | { readonly kind: 'delete'; readonly uid: string }
  | { readonly kind: 'follow'; readonly uid: string }
  /** `why` is what keeps the host from going down although all that was asked for is done. */
  | { readonly kind: 'wait'; readonly why?: string };

/** Decides what comes next while a shutdown waits. Every row of circumstances leads to an end, at the limit at last. */
export function decideEvacuation(view: EvacuationView): EvacuationStep {
  const { running, eviction, elapsedMs, limitMs } = view;
  if (running === 0) return end({ kind: 'empty' });
  if (elapsedMs >= limitMs) return end({ kind: 'out-of-time', why: `${guests(running)} after ${seconds(limitMs)}` });
  switch (eviction.kind) {
    case 'unknown':
      if (eviction.silentMs < view.patienceMs) return { kind: 'wait' };
      return end({ kind: 'api-away', why: `no word for ${seconds(eviction.silentMs)}: ${eviction.why}` });
    case 'missing':
      if (view.followed === undefined) return { kind: 'create' };
      return end({ kind: 'failed', why: 'somebody deleted the Eviction' });
    case 'found':
      return eviction.uid === view.followed
        ? stepWith(eviction.state, running)
        : stepWithOther(eviction.uid, eviction.state);
  }
}

/** Whether the host can go down without a loss. */
export function isEvacuated({ kind }: EvacuationOutcome): boolean {
  return kind === 'empty' || kind === 'succeeded';
}

function stepWith(state: EvictionState, running: number | undefined): EvacuationStep {
  switch (state.kind) {
    case 'under-way':
    case 'going':
      return { kind: 'wait' };
    case 'succeeded':
      // An Eviction knows the guests that were there when it began, and of those only the ones of its operator.
      if (running !== undefined) return { kind: 'wait', why: `the Eviction has succeeded, but ${guests(running)}` };
      return end({ kind: 'succeeded' });
    case 'failed':
      return end({ kind: 'failed', why: state.message });
  }
}

function stepWithOther(uid: string, state: EvictionState): EvacuationStep {
  switch (state.kind) {
    case 'under-way':
      return { kind: 'follow', uid };
    case 'going':
      return { kind: 'wait' };
    case 'succeeded':
    case 'failed':
      return { kind: 'delete', uid };
  }
}

function end(outcome: EvacuationOutcome): EvacuationStep {
  return { kind: 'end', outcome };
}

function guests(running: number | undefined): string {
  if (running === undefined) return 'an unknown number of guests still runs';
  return running === 1 ? 'one guest still runs' : `${running} guests still run`;
}

function seconds(milliseconds: number): string {
  return `${Math.round(milliseconds / 1000)} s`;
}
