import { EventEmitter } from 'node:events';

import { expect, it } from 'vitest';

import { stopSignal } from './stop-signal.ts';

it.each(['SIGINT', 'SIGTERM'])('is aborted by the first %s, and the second one ends the process', (name) => {
  const exits: number[] = [];
  const process = Object.assign(new EventEmitter(), { exit: (code: number) => exits.push(code) });
  const signal = stopSignal(process);

  process.emit(name);
  const afterOne = { isAborted: signal.aborted, exits: [...exits] };
  process.emit(name);

  expect({ afterOne, exits }).toEqual({ afterOne: { isAborted: true, exits: [] }, exits: [130] });
});
