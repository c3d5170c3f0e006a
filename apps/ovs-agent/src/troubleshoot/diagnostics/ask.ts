import { messageOf } from '@smalt/service-runtime';

/** A part of a report: what was answered, or why there is no answer. One part that fails takes no other with it. */
export type Part<T> = { readonly value: T } | { readonly error: string };

/** Asks for one part of a report. Only the caller's own signal ends all of it. */
export async function ask<T>(signal: AbortSignal, question: () => Promise<T>): Promise<Part<T>> {
  try {
    return { value: await question() };
  } catch (error) {
    signal.throwIfAborted();
    return { error: messageOf(error) };
  }
}
