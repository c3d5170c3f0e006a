import type { StreamState } from '../live/open-stream.ts';

/** What a stream is of. */
export type StreamSubject = 'log' | 'usage';

const TITLES: Readonly<Record<StreamSubject, { readonly lost: string; readonly refused: string }>> = {
  log: { lost: 'The log has stopped, trying again', refused: 'The log cannot be shown' },
  usage: { lost: 'Nothing is measured now, trying again', refused: 'What it uses cannot be shown' },
};

/** What to say of a stream that has stopped; undefined while it is well. */
export function streamNoteWords(
  state: StreamState,
  subject: StreamSubject,
): { readonly title: string; readonly message: string } | undefined {
  switch (state.kind) {
    case 'connecting':
    case 'open':
      return undefined;
    case 'lost':
      // Numbers that come a second late need no words; why they do not come does.
      if (subject === 'usage' && state.message === '') return undefined;
      return { title: TITLES[subject].lost, message: state.message };
    case 'refused':
      return { title: TITLES[subject].refused, message: state.message };
  }
}
