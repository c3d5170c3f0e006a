import type { Tone } from '../../../parts/status-badge.tsx';
import type { TraceVerdict } from './read-trace.ts';

/** What became of a packet, in a sentence. */
export function verdictWords(verdict: TraceVerdict): { readonly tone: Tone; readonly words: string } {
  switch (verdict.kind) {
    case 'output': {
      const { ports } = verdict;
      const what = ports.length === 1 ? 'port' : 'ports';
      return { tone: 'good', words: `The packet leaves by ${what} ${ports.join(', ')} of the datapath.` };
    }
    case 'controller':
      return { tone: 'busy', words: 'The packet goes to the controller.' };
    case 'drop': {
      const why = verdict.why === undefined ? '' : `: ${verdict.why}`;
      return { tone: 'bad', words: `The packet is dropped${why}.` };
    }
  }
}
