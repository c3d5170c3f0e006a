import { styleText } from 'node:util';

import type { TextStyle } from './print-trace.ts';

/** Colours for a terminal, and plain text for everything else and for who has set NO_COLOR. */
export function textStyle(isTerminal: boolean, noColor: string | undefined): TextStyle {
  if (!isTerminal || (noColor !== undefined && noColor !== '')) return { good: plain, bad: plain, faint: plain };
  return { good: paint('green'), bad: paint('red'), faint: paint('dim') };
}

function paint(format: 'green' | 'red' | 'dim'): (text: string) => string {
  return (text) => styleText(format, text, { validateStream: false });
}

function plain(text: string): string {
  return text;
}
